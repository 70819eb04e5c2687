import { Ban, CircleCheck, Hourglass, TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ClockTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";

export type AuditRow = Output<"audit.list">["events"][number];
export type AuditTableProps = { events: AuditRow[]; nameOf: (environmentId: string | null) => string; onOpen: (id: string) => void };

export function AuditTable({ events, nameOf, onOpen }: AuditTableProps) {
  return (
    <Table caption="Audit events, newest first">
      <TableHead>
        <TableHeader>Time</TableHeader>
        <TableHeader>Who</TableHeader>
        <TableHeader>Action</TableHeader>
        <TableHeader>Where</TableHeader>
        <TableHeader>What</TableHeader>
        <TableHeader>Result</TableHeader>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <TableRow key={event.id} className={cn(event.decision === "denied" && "bg-failed/5")}>
            <TableCell className="whitespace-nowrap">
              <ClockTime at={event.at} />
            </TableCell>
            <TableCell>
              {event.actorName} <span className="text-sm text-muted-foreground">{event.origin}</span>
            </TableCell>
            <TableCell mono>
              <Button variant="link" onClick={() => onOpen(event.id)} aria-label={`Show event ${event.sequence}, ${event.action}`}>
                {event.action}
              </Button>
            </TableCell>
            <TableCell>{nameOf(event.environmentId)}</TableCell>
            <TableCell className="max-w-64 truncate" title={event.targetName ?? event.targetId ?? undefined}>
              {event.targetType} {event.targetName ?? <span className="font-mono text-sm">{event.targetId?.slice(0, 13)}</span>}
            </TableCell>
            <TableCell>
              <Result event={event} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const results = {
  denied: { tone: "failed", icon: Ban, word: "denied" },
  success: { tone: "ready", icon: CircleCheck, word: "done" },
  failure: { tone: "failed", icon: TriangleAlert, word: "failed" },
  intent: { tone: "neutral", icon: Hourglass, word: "begun" },
} as const;

export function Result({ event }: { event: Pick<AuditRow, "decision" | "outcome"> }) {
  const { tone, icon: Icon, word } = results[event.decision === "denied" ? "denied" : event.outcome];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {word}
    </Badge>
  );
}
