"use client";

import { Users } from "lucide-react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { Tooltip } from "@/components/ui/tooltip";
import { useActor, useWrite } from "@/lib/client/hooks";
import { memberChangeRefusal } from "@/lib/domain/member";
import type { Role } from "@/lib/domain/policy";
import type { Output } from "@/lib/client/api";
import { RoleSelect } from "./role-select";

export type MemberRow = Output<"members.list">["members"][number];
export type MemberTableProps = { environmentId: string; members: MemberRow[] };

export function MemberTable({ environmentId, members }: MemberTableProps) {
  return (
    <Table caption="Members of the environment">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>E-mail</TableHeader>
        <TableHeader>Role</TableHeader>
        <TableHeader>Since</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {members.map((row) => (
          <TableRow key={row.member.kind === "person" ? row.member.userId : `group ${row.member.group}`}>
            <TableRowHeader>
              <span className="flex items-center gap-2">
                {row.member.kind === "group" && <Users aria-hidden className="size-4 text-muted-foreground" />}
                {row.name}
                {row.member.kind === "group" && <Badge>group</Badge>}
                {row.isDisabled && <Badge tone="failed">disabled</Badge>}
              </span>
            </TableRowHeader>
            <TableCell>{row.email ?? "–"}</TableCell>
            <TableCell>
              <RoleCell environmentId={environmentId} row={row} />
            </TableCell>
            <TableCell>
              <RelativeTime at={row.since} />
            </TableCell>
            <TableCell className="text-right">
              <RemoveButton environmentId={environmentId} row={row} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

type RowProps = { environmentId: string; row: MemberRow };

const CONFIGURED = "This role comes from the setting OIDC_GROUP_GRANTS and is changed there.";

function useRefusal({ environmentId, row }: RowProps, next: Role | null): string | undefined {
  const actor = useActor();
  if (row.isConfigured) return CONFIGURED;
  return actor ? memberChangeRefusal(actor, { environmentId, member: row.member, present: [row.role], next }) : undefined;
}

function RoleCell(props: RowProps) {
  const { environmentId, row } = props;
  const refusal = useRefusal(props, row.role);
  const setRole = useWrite("members.setRole", ["account"]);
  if (refusal) {
    return (
      <Tooltip content={refusal}>
        <span tabIndex={0} className="inline-flex">
          <Badge>{row.role}</Badge>
          <span className="sr-only">: {refusal}</span>
        </span>
      </Tooltip>
    );
  }
  const change = (role: Role) =>
    setRole.mutate({ environmentId, member: row.member, role }, { onSuccess: () => void toast.success(`${row.name} is ${role} now.`), onError: (error) => void toast.error(error.message) });
  return <RoleSelect label={`Role of ${row.name}`} value={row.role} onChange={change} />;
}

function RemoveButton(props: RowProps) {
  const { environmentId, row } = props;
  const refusal = useRefusal(props, null);
  const remove = useWrite("members.remove", ["account"]);
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" disabledReason={refusal} aria-label={`Remove ${row.name}`}>
          Remove
        </Button>
      }
      title={`Remove ${row.name} from this environment?`}
      goes={[`The role ${row.role} here, at once, in open pages and tokens too`]}
      stays={[row.member.kind === "person" ? "The account, and roles in other environments" : "The group in your identity provider", "What was deployed and read"]}
      actionLabel="Remove"
      onConfirm={async () => void (await remove.mutateAsync({ environmentId, member: row.member }))}
    />
  );
}
