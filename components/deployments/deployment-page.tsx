"use client";

import { EnvironmentBadge, SandboxBadge } from "@/components/ui/badge";
import { deploymentStatusLook } from "@/components/ui/deployment-status";
import { formatMoney } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { Status } from "@/components/ui/status";
import { useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { EnvironmentKind } from "@/lib/domain/environment";
import type { Output } from "@/lib/client/api";
import { DeploymentActions } from "./deployment-actions";
import { EndpointPanel } from "./endpoint-panel";
import { RevisionList } from "./revision-list";
import { RolloutPanel } from "./rollout-panel";

export type DeploymentView = Output<"deployments.get">;

/** "Ready since 14:02 · revision 1 · 0.8048 USD/h" in words. */
function sentence({ deployment, price }: DeploymentView): string {
  const cost = price.state === "priced" ? `${formatMoney(Number(price.perHour), price.currency, 4)} an hour and node while it runs` : `${price.name} has no price`;
  return `${deployment.modelName} on ${deployment.gpuName} (${deployment.skuName}), revision ${deployment.revision}; ${cost}.`;
}

export function DeploymentPage({ id }: { id: string }) {
  useLive(`deployment:${id}`);
  const view = useRead("deployments.get", { id });
  if (view.error) return <Page><ErrorState problem={view.error} onRetry={() => void view.refetch()} /></Page>;
  if (!view.data) return <Page><LoadingPanels count={3} /></Page>;
  const { deployment } = view.data;
  return (
    <Page>
      <PageHeader
        title={deployment.name}
        sentence={sentence(view.data)}
        badges={
          <>
            <Status state={deploymentStatusLook(deployment.state)} since={deployment.stateSince}>
              {deployment.state.replace("_", " ")}
            </Status>
            <EnvironmentBadge kind={EnvironmentKind.parse(deployment.environmentKind)}>{deployment.environmentName}</EnvironmentBadge>
            {deployment.isSandbox && <SandboxBadge />}
          </>
        }
        action={<DeploymentActions deployment={deployment} />}
      />
      <RolloutPanel view={view.data} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <EndpointPanel view={view.data} />
        <RevisionList view={view.data} />
      </div>
    </Page>
  );
}
