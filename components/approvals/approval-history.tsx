import { Badge } from "@/components/ui/badge";
import { Status, type State } from "@/components/ui/status";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { DigestText, type ApprovalRow } from "./approval-card";

const looks: Record<ApprovalRow["state"], { state: State; word: string }> = {
  pending: { state: "waiting", word: "waits" },
  approved: { state: "ready", word: "approved, not used yet" },
  rejected: { state: "failed", word: "rejected" },
  used: { state: "ready", word: "approved and applied" },
  void: { state: "asleep", word: "void: overtaken" },
  expired: { state: "asleep", word: "expired" },
};

export function ApprovalHistory({ approvals }: { approvals: ApprovalRow[] }) {
  return (
    <Table caption="Approvals that are decided or past">
      <TableHead>
        <TableHeader>Deployment</TableHeader>
        <TableHeader>What became of it</TableHeader>
        <TableHeader>Asked by</TableHeader>
        <TableHeader>Decided by</TableHeader>
        <TableHeader>Reason</TableHeader>
        <TableHeader>Digest</TableHeader>
      </TableHead>
      <TableBody>
        {approvals.map((one) => (
          <TableRow key={one.id}>
            <TableRowHeader>
              {one.environmentName} / {one.title}
            </TableRowHeader>
            <TableCell>
              <span className="flex items-center gap-2">
                <Status state={looks[one.state].state}>{looks[one.state].word}</Status>
                {one.isBypass && <Badge tone="failed">without approval</Badge>}
              </span>
            </TableCell>
            <TableCell>
              {one.requestedBy}, <RelativeTime at={one.requestedAt} />
            </TableCell>
            <TableCell>
              {one.decidedBy ?? "nobody"}
              {one.decidedAt && (
                <>
                  , <RelativeTime at={one.decidedAt} />
                </>
              )}
            </TableCell>
            <TableCell wrap>{one.decisionReason || one.reason}</TableCell>
            <TableCell>
              <DigestText digest={one.digest} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
