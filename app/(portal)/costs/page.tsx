import { HydrationBoundary } from "@tanstack/react-query";
import { Suspense } from "react";
import { CostsPage } from "@/components/costs/costs-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Costs" };

export default async function Costs() {
  const state = await prefetch(["environments.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <Suspense>
        <CostsPage />
      </Suspense>
    </HydrationBoundary>
  );
}
