"use client";

import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { ExactTime } from "@/components/ui/time";
import { useRead } from "@/lib/client/hooks";
import type { Output } from "@/lib/client/api";
import { Result } from "./audit-table";

export type AuditDetailProps = { id: string | undefined; nameOf: (environmentId: string | null) => string; onClose: () => void };

export function AuditDetail({ id, nameOf, onClose }: AuditDetailProps) {
  const event = useRead("audit.get", { id: id ?? "" }, { enabled: Boolean(id) });
  return (
    <Dialog open={Boolean(id)} onOpenChange={(open) => !open && onClose()} title={event.data ? event.data.record.action : "Event"} size="lg">
      {event.error && <ErrorState problem={problemOf(event.error)} />}
      {event.isPending && <LoadingText label="Loading the event" lines={8} />}
      {event.data && <Facts event={event.data} nameOf={nameOf} />}
    </Dialog>
  );
}

function Facts({ event, nameOf }: { event: Output<"audit.get">; nameOf: (environmentId: string | null) => string }) {
  const { record } = event;
  const rows: [string, ReactNode][] = [
    ["Result", <Result key="result" event={record} />],
    ["Time", <ExactTime key="time" at={record.at} />],
    ["Who", `${record.actorName} (${record.actorKind})`],
    ["With the roles", [record.isOwner ? "owner" : "", ...record.roles].filter(Boolean).join(", ") || "none"],
    ["Where", nameOf(record.environmentId)],
    ["What", [record.targetType, record.targetName, record.targetId].filter(Boolean).join(" · ")],
    ["Reason", record.reason],
    ["From", [record.origin, record.ip, record.userAgent].filter(Boolean).join(" · ")],
    ["Request", <code key="request">{record.requestId}</code>],
    ["Place in the chain", <code key="chain" className="break-all">{`${event.sequence} · ${event.hash}`}</code>],
  ];
  return (
    <>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[10rem_1fr]">
        {rows.filter(([, value]) => value !== "").map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {Object.keys(record.detail).length > 0 && <CodeBlock label="detail" code={JSON.stringify(record.detail, null, 2)} className="max-h-72" />}
    </>
  );
}
