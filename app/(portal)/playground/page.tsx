import { HydrationBoundary } from "@tanstack/react-query";
import { Suspense } from "react";
import { PlaygroundPage } from "@/components/playground/playground-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Playground" };

export default async function Playground() {
  const state = await prefetch(["environments.list", {}], ["engines.list", {}], ["documents.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <Suspense>
        <PlaygroundPage />
      </Suspense>
    </HydrationBoundary>
  );
}
