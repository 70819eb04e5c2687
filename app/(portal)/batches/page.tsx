import { HydrationBoundary } from "@tanstack/react-query";
import { BatchesPage } from "@/components/batches/batches-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Batches" };

export default async function Page() {
  const state = await prefetch(["batches.list", {}], ["environments.list", {}], ["engines.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <BatchesPage />
    </HydrationBoundary>
  );
}
