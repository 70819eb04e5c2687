"use client";

import { formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { StatusIcon } from "@/components/ui/status";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";

type Preflight = Output<"preflight.cluster">;

const looks = { fine: "ready", warning: "waiting", blocker: "failed" } as const;

export function PreflightPanels({ clusterId }: { clusterId: string }) {
  const { data, error, refetch } = useRead("preflight.cluster", { clusterId });
  const count = (level: keyof typeof looks) => data?.lines.filter((line) => line.level === level).length ?? 0;
  const summary = data && `${formatCount(count("blocker"), "blocker")}, ${formatCount(count("warning"), "warning")}, ${count("fine")} fine`;
  return (
    <>
      {data && data.pools.length > 0 && <CapacityPanel pools={data.pools} />}
      <Panel title="Preflight" description={summary}>
        {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingText label="Asking the cluster" lines={6} />}
        {data && (
          <ul className="grid gap-3">
            {data.lines.map((line) => (
              <PreflightLine key={line.id} line={line} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}

function PreflightLine({ line }: { line: Preflight["lines"][number] }) {
  return (
    <li className="flex items-start gap-2">
      <StatusIcon state={looks[line.level]} className="mt-0.5" />
      <div className="grid min-w-0 gap-0.5">
        <p className="break-words">
          <span className="sr-only">{line.level}: </span>
          {line.text}
        </p>
        {line.remedy && <p className="break-words text-muted-foreground">{line.remedy}</p>}
        {line.evidence.length > 0 && (
          <details className="text-sm text-muted-foreground">
            <summary className="w-fit cursor-pointer select-none">{formatCount(line.evidence.length, "fact")}</summary>
            <ul className="grid gap-0.5 pt-1">
              {line.evidence.map((each) => (
                <li key={each} className="break-words">
                  {each}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

function CapacityPanel({ pools }: { pools: Preflight["pools"] }) {
  return (
    <Panel title="GPUs" description="As the scheduler counts them now: what nodes can give, less what pods hold." padded={false}>
      <Table caption="GPUs by product">
        <TableHead>
          <TableHeader>GPU</TableHeader>
          <TableHeader>Size</TableHeader>
          <TableHeader numeric unit="MiB">
            Memory
          </TableHeader>
          <TableHeader numeric>Nodes</TableHeader>
          <TableHeader numeric>Free</TableHeader>
          <TableHeader numeric>All</TableHeader>
          <TableHeader>Taints</TableHeader>
        </TableHead>
        <TableBody>
          {pools.map((pool) => (
            <TableRow key={`${pool.product} ${pool.instanceType} ${pool.memoryMib} ${pool.isShared}`}>
              <TableRowHeader>
                {pool.product}
                {pool.isShared && ", shared"}
              </TableRowHeader>
              <TableCell mono>{pool.instanceType || "–"}</TableCell>
              <TableCell numeric>{pool.memoryMib ?? "–"}</TableCell>
              <TableCell numeric>{pool.nodes}</TableCell>
              <TableCell numeric>{pool.free ?? "not known"}</TableCell>
              <TableCell numeric>{pool.total}</TableCell>
              <TableCell mono>{pool.taints.join(", ") || "none"}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Panel>
  );
}
