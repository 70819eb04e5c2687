"use client";

import Link from "next/link";
import { EnvironmentBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { ExactTime, RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { ClusterHealth, type Cluster } from "./cluster-health";
import { PreflightPanels } from "./preflight-panel";
import { RelinkDialog } from "./relink-dialog";
import { RightsPanel } from "./rights-panel";
import { UnlinkDialog } from "./unlink-dialog";

export function ClusterPage({ id }: { id: string }) {
  const { data, error, refetch } = useRead("clusters.get", { id }, { refetchInterval: 15_000 });
  const isInCluster = useRead("clusters.list", {}).data?.isInCluster ?? false;
  if (error && !data) return <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} className="m-6" />;
  if (!data) return <LoadingPanels label="Loading the cluster" />;
  const { cluster, rights, namespace } = data;
  return (
    <Page>
      <PageHeader
        title={cluster.name}
        badges={
          <>
            <ClusterHealth cluster={cluster} />
            {cluster.kind === "sandbox" && <SandboxBadge />}
          </>
        }
        back={<Link href="/clusters">Clusters</Link>}
        action={
          <>
            <UnlinkDialog cluster={cluster} />
            <RelinkDialog cluster={cluster} isInCluster={isInCluster} />
            <CheckButton id={cluster.id} />
          </>
        }
      />
      {cluster.problem && <Notice tone="failed" title={cluster.problem}>What stands below was last true when the cluster answered.</Notice>}
      {cluster.warnings.map((warning) => (
        <Notice key={warning} tone="warning" title={warning} />
      ))}
      <LinkPanel cluster={cluster} />
      <PreflightPanels clusterId={cluster.id} />
      <RightsPanel rights={rights} namespace={namespace} />
    </Page>
  );
}

function CheckButton({ id }: { id: string }) {
  const check = useWrite("clusters.check", ["preflight"]);
  const { reason } = useCan("portal.manage", null);
  const say = ({ problem }: { problem: string }) => void (problem ? toast.error(problem) : toast.success("The cluster answered."));
  return (
    <Button variant="primary" disabledReason={reason} pending={check.isPending} onClick={() => check.mutate({ id }, { onSuccess: say, onError: (error) => void toast.error(error.message) })}>
      Check now
    </Button>
  );
}

function LinkPanel({ cluster }: { cluster: Cluster }) {
  return (
    <Panel title="Link" description="The credential is sealed: nobody sees it again, only its fingerprint.">
      <Facts
        facts={[
          { name: "Server", value: <code className="font-mono text-sm">{cluster.server}</code> },
          { name: "Version", value: cluster.version || "not known yet" },
          { name: "Latency", value: cluster.latencyMs === null ? "not known yet" : `${cluster.latencyMs} ms for one answer` },
          { name: "Last contact", value: cluster.lastContactAt ? <RelativeTime at={cluster.lastContactAt} /> : "never" },
          { name: "Credential", value: <code className="font-mono text-sm">{cluster.fingerprint}</code> },
          { name: "Ends", value: cluster.expiresAt ? <ExactTime at={cluster.expiresAt} /> : "it does not say" },
          { name: "Linked", value: linked(cluster) },
          { name: "Environments", value: <EnvironmentLinks cluster={cluster} /> },
        ]}
      />
    </Panel>
  );
}

function linked(cluster: Cluster) {
  return (
    <>
      <RelativeTime at={cluster.linkedAt} />
      {cluster.linkedBy && ` by ${cluster.linkedBy}`}
      {cluster.origin === "in-cluster" && ", as the cluster that Lectern runs in"}
    </>
  );
}

function EnvironmentLinks({ cluster }: { cluster: Cluster }) {
  if (cluster.environments.length === 0) return <>none yet: open an environment and move it here</>;
  return (
    <ul className="flex flex-wrap gap-2">
      {cluster.environments.map((one) => (
        <li key={one.id} className="flex items-center gap-1.5">
          <Link href={`/environments/${one.slug}`}>
            <EnvironmentBadge kind={one.kind}>{one.name}</EnvironmentBadge>
          </Link>
          <code className="font-mono text-sm text-muted-foreground">{one.namespace}</code>
        </li>
      ))}
    </ul>
  );
}
