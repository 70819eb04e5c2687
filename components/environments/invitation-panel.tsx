"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import type { Output } from "@/lib/client/api";
import { InviteDialog } from "./invite-dialog";

type InvitationRow = Output<"invitations.list">["invitations"][number];
export type InvitationPanelProps = { environmentId: string; environmentName: string };

export function InvitationPanel({ environmentId, environmentName }: InvitationPanelProps) {
  const { data, error, refetch } = useRead("invitations.list", { environmentId });
  const invite = <InviteDialog environmentId={environmentId} environmentName={environmentName} />;
  return (
    <Panel title="Invitations" description="A link that works once, for seven days, and makes an account with this role." actions={invite} padded={false}>
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} className="m-4" />}
      {!data && !error && <LoadingTable label="Loading invitations" rows={2} />}
      {data?.invitations.length === 0 && <Empty title="No one has been invited yet." className="m-4" />}
      {data && data.invitations.length > 0 && <InvitationTable environmentId={environmentId} invitations={data.invitations} />}
    </Panel>
  );
}

const tones = { open: "accent", used: "ready", revoked: "failed", expired: "neutral" } as const;

function InvitationTable({ environmentId, invitations }: { environmentId: string; invitations: InvitationRow[] }) {
  const revoke = useWrite("invitations.revoke");
  return (
    <Table caption="Invitations to the environment">
      <TableHead>
        <TableHeader>For</TableHeader>
        <TableHeader>Role</TableHeader>
        <TableHeader>By</TableHeader>
        <TableHeader>State</TableHeader>
        <TableHeader>Until</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {invitations.map((row) => (
          <TableRow key={row.id}>
            <TableRowHeader>{row.email}</TableRowHeader>
            <TableCell>{row.role}</TableCell>
            <TableCell>{row.createdBy ?? "–"}</TableCell>
            <TableCell>
              <Badge tone={tones[row.state]}>{row.state}</Badge>
            </TableCell>
            <TableCell>
              <RelativeTime at={row.expiresAt} />
            </TableCell>
            <TableCell className="text-right">
              {row.state === "open" && (
                <Button size="sm" aria-label={`Withdraw the invitation for ${row.email}`} onClick={() => revoke.mutate({ environmentId, invitationId: row.id }, { onError: (problem) => void toast.error(problem.message) })}>
                  Withdraw
                </Button>
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
