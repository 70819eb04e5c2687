import { HydrationBoundary } from "@tanstack/react-query";
import { ClusterPage } from "@/components/clusters/cluster-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Cluster" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const state = await prefetch(["clusters.get", { id }]);
  return (
    <HydrationBoundary state={state}>
      <ClusterPage id={id} />
    </HydrationBoundary>
  );
}
