import { HydrationBoundary } from "@tanstack/react-query";
import { TROUBLED } from "@/components/overview/troubled";
import { OverviewPage } from "@/components/overview/overview-page";
import { RECENT_DEPLOYMENTS } from "@/lib/domain/recent-deployments";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Overview" };

export default async function Overview() {
  const state = await prefetch(["environments.list", {}], ["deployments.list", RECENT_DEPLOYMENTS], ["deployments.list", TROUBLED], ["costs.now", {}]);
  return (
    <HydrationBoundary state={state}>
      <OverviewPage />
    </HydrationBoundary>
  );
}
