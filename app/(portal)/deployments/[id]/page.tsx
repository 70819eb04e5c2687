import { HydrationBoundary } from "@tanstack/react-query";
import { DeploymentPage } from "@/components/deployments/deployment-page";
import { DeploymentOperatePanels } from "@/components/operate/operate-panels";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Deployment" };

export default async function Deployment({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const state = await prefetch(["deployments.get", { id }]);
  return (
    <HydrationBoundary state={state}>
      <DeploymentPage id={id} />
      <DeploymentOperatePanels id={id} />
    </HydrationBoundary>
  );
}
