import { HydrationBoundary } from "@tanstack/react-query";
import { OverviewPage } from "@/components/overview/overview-page";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Overview" };

export default async function Overview() {
  const state = await prefetch(["environments.list", {}], ["deployments.list", {}], ["costs.now", {}]);
  return (
    <HydrationBoundary state={state}>
      <OverviewPage />
    </HydrationBoundary>
  );
}
