"use client";

import { Badge } from "@/components/ui/badge";
import { Panel } from "@/components/ui/panel";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";

export type LiveObjects = Output<"deployments.objects">;
type Pod = LiveObjects["pods"][number];

/** Pods with their containers and conditions, and the events of everything that belongs to the deployment. */
export function PodsPanel({ id }: { id: string }) {
  const { data, error, refetch } = useRead("deployments.objects", { id });
  if (error) return <ErrorState problem={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingTable />;
  return (
    <div className="grid gap-6">
      <Panel title="Pods" padded={false}>
        {data.pods.length === 0 ? <Empty title="No pod exists now." /> : <ul className="divide-y divide-border">{data.pods.map((pod) => <PodItem key={pod.name} pod={pod} />)}</ul>}
      </Panel>
      <Events events={data.events} />
    </div>
  );
}

function PodItem({ pod }: { pod: Pod }) {
  const open = pod.conditions.filter((condition) => condition.status !== "True" && condition.message !== "");
  return (
    <li className="grid gap-2 px-4 py-3">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-sm break-all">{pod.name}</span>
        <Badge tone={pod.phase === "Running" ? "ready" : pod.phase === "Failed" ? "failed" : "neutral"}>{pod.isEnding ? "Ending" : pod.phase}</Badge>
        <span className="text-sm text-muted-foreground">
          {pod.node ? `on ${pod.node}` : "not placed yet"}
          {pod.createdAt && <>, <RelativeTime at={pod.createdAt} /></>}
        </span>
      </span>
      <ul className="grid gap-1 text-sm text-muted-foreground">
        {pod.containers.map((container) => (
          <li key={container.name}>
            <span className="font-mono">{container.name}</span>: {container.state}
            {container.reason && ` (${container.reason})`}
            {container.restarts > 0 && `, ${container.restarts} restarts`}
            {!container.isInit && (container.isReady ? ", ready" : ", not ready")}
          </li>
        ))}
        {open.map((condition) => (
          <li key={condition.type}>
            {condition.type}: <span className="font-mono">{condition.message}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

function Events({ events }: Pick<LiveObjects, "events">) {
  return (
    <Panel title="Events" description="Clusters keep them for about an hour." padded={false}>
      {events.length === 0 ? (
        <Empty title="The cluster keeps no event about it now." />
      ) : (
        <Table caption="Events, newest first">
          <TableHead>
            <TableHeader>When</TableHeader>
            <TableHeader>Reason</TableHeader>
            <TableHeader>Object</TableHeader>
            <TableHeader>Message</TableHeader>
          </TableHead>
          <TableBody>
            {events.map((event, index) => (
              <TableRow key={`${event.at} ${event.object} ${index}`}>
                <TableCell className="whitespace-nowrap">{event.at && <RelativeTime at={event.at} />}</TableCell>
                <TableCell>
                  <Badge tone={event.type === "Warning" ? "warning" : "neutral"}>{event.reason}</Badge> {event.count > 1 && `× ${event.count}`}
                </TableCell>
                <TableCell className="font-mono text-sm">{event.object}</TableCell>
                <TableCell className="min-w-80 text-sm">{event.message}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Panel>
  );
}
