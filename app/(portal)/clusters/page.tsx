import { HydrationBoundary } from "@tanstack/react-query";
import { ClustersPage } from "@/components/clusters/clusters-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Clusters" };

export default async function Page() {
  const state = await prefetch(["clusters.list", {}]);
  return (
    <HydrationBoundary state={state}>
      <ClustersPage />
    </HydrationBoundary>
  );
}
