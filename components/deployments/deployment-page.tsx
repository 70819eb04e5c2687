"use client";

import { EnvironmentBadge, SandboxBadge } from "@/components/ui/badge";
import { deploymentStatusLook } from "@/components/ui/deployment-status";
import { formatMoney } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { Status } from "@/components/ui/status";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { useUrlState } from "@/lib/client/url-state";
import { EnvironmentKind } from "@/lib/domain/environment";
import type { Output } from "@/lib/client/api";
import { DeploymentActions } from "./deployment-actions";
import { EndpointPanel } from "./endpoint-panel";
import { FindingsPanel } from "./findings-panel";
import { LogPanel } from "./log-panel";
import { PodsPanel } from "./pods-panel";
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
        action={<DeploymentActions view={view.data} />}
      />
      <FindingsPanel view={view.data} />
      <RolloutPanel view={view.data} />
      <Sections view={view.data} />
    </Page>
  );
}

const SECTIONS = { endpoint: "Endpoint and revisions", pods: "Pods and events", logs: "Logs" };

/** The tab stands in the address, so that a log can be linked to. */
function Sections({ view }: { view: DeploymentView }) {
  const url = useUrlState();
  const wanted = url.get("tab") ?? "endpoint";
  const { id, name, environmentId } = view.deployment;
  return (
    <Tabs value={wanted in SECTIONS ? wanted : "endpoint"} onValueChange={(tab) => url.set({ tab: tab === "endpoint" ? undefined : tab })}>
      <TabsList aria-label="Sections of the deployment">
        {Object.entries(SECTIONS).map(([value, label]) => (
          <TabsTrigger key={value} value={value}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="endpoint" className="grid items-start gap-6 lg:grid-cols-2">
        <EndpointPanel view={view} />
        <RevisionList view={view} />
      </TabsContent>
      <TabsContent value="pods">
        <PodsPanel id={id} />
      </TabsContent>
      <TabsContent value="logs">
        <LogPanel id={id} name={name} environmentId={environmentId} />
      </TabsContent>
    </Tabs>
  );
}
