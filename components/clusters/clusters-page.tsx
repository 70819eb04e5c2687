"use client";

import Link from "next/link";
import { SandboxBadge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { useCan, useRead } from "@/lib/client/hooks";
import { ClusterHealth, type Cluster } from "./cluster-health";
import { LinkDialog } from "./link-dialog";
import { RangesPanel } from "./ranges-panel";

export function ClustersPage() {
  const { data, error, refetch } = useRead("clusters.list", {}, { refetchInterval: 15_000 });
  const manages = useCan("portal.manage", null);
  const down = data?.clusters.filter((one) => one.health === "down").length ?? 0;
  const sentence = data && `${formatCount(data.clusters.length, "cluster")}${down > 0 ? `, of which ${down} ${down === 1 ? "does" : "do"} not answer` : ""}. Environments run in a namespace of one of them.`;
  return (
    <Page>
      <PageHeader title="Clusters" sentence={sentence} action={<LinkDialog isInCluster={data?.isInCluster ?? false} />} />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingTable label="Loading clusters" rows={3} />}
      {data?.clusters.length === 0 && <Empty title="No cluster is linked in which you have an environment." example="paste a kubeconfig of an EKS, GKE, AKS, Kapsule or own cluster." />}
      {data && data.clusters.length > 0 && (
        <Panel label="Clusters" padded={false}>
          <ClusterTable clusters={data.clusters} />
        </Panel>
      )}
      {manages.allowed && <RangesPanel />}
    </Page>
  );
}

function ClusterTable({ clusters }: { clusters: Cluster[] }) {
  return (
    <Table caption="Clusters">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>Health</TableHeader>
        <TableHeader>Version</TableHeader>
        <TableHeader numeric unit="ms">
          Latency
        </TableHeader>
        <TableHeader>Last contact</TableHeader>
        <TableHeader>Environments</TableHeader>
        <TableHeader numeric>Deployments</TableHeader>
      </TableHead>
      <TableBody>
        {clusters.map((cluster) => (
          <TableRow key={cluster.id}>
            <TableRowHeader>
              <span className="flex items-center gap-2">
                <Link href={`/clusters/${cluster.id}`} className="underline-offset-4 hover:underline">
                  {cluster.name}
                </Link>
                {cluster.kind === "sandbox" && <SandboxBadge />}
              </span>
            </TableRowHeader>
            <TableCell>
              <ClusterHealth cluster={cluster} />
            </TableCell>
            <TableCell mono>{cluster.version || "–"}</TableCell>
            <TableCell numeric>{cluster.latencyMs ?? "–"}</TableCell>
            <TableCell>{cluster.lastContactAt ? <RelativeTime at={cluster.lastContactAt} /> : "never"}</TableCell>
            <TableCell>{cluster.environments.map((one) => one.name).join(", ") || "none"}</TableCell>
            <TableCell numeric>{cluster.deployments}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
