import { HydrationBoundary } from "@tanstack/react-query";
import { DeploymentsPage } from "@/components/deployments/deployments-page";
import { DEPLOYMENTS_PAGE } from "@/lib/domain/recent-deployments";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Deployments" };

export default async function Deployments() {
  const state = await prefetch(["environments.list", {}], ["deployments.list", { search: "", limit: DEPLOYMENTS_PAGE }]);
  return (
    <HydrationBoundary state={state}>
      <DeploymentsPage />
    </HydrationBoundary>
  );
}
