"use client";

import { formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { AddMemberDialog } from "./add-member-dialog";
import { MemberTable } from "./member-table";

export type MemberPanelProps = { environmentId: string };

export function MemberPanel({ environmentId }: MemberPanelProps) {
  const { data, error, refetch } = useRead("members.list", { environmentId });
  const owners = data ? `${formatCount(data.owners, "owner")} of the portal ${data.owners === 1 ? "has" : "have"} every right here too.` : undefined;
  return (
    <Panel title="Members" description={owners} actions={<AddMemberDialog environmentId={environmentId} />} padded={false}>
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} className="m-4" />}
      {!data && !error && <LoadingTable label="Loading members" rows={3} />}
      {data?.members.length === 0 && <Empty title="Nobody but the owners works here yet." className="m-4" example="invite a colleague as deployer, or give a group of your identity provider the role viewer." />}
      {data && data.members.length > 0 && <MemberTable environmentId={environmentId} members={data.members} />}
    </Panel>
  );
}
