"use client";

import { useQueryClient } from "@tanstack/react-query";
import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import { useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { ApprovalCard } from "./approval-card";
import { ApprovalHistory } from "./approval-history";

export function ApprovalsPage() {
  const { data, error, refetch } = useRead("approvals.list", {}, { refetchInterval: 60_000 });
  const environments = useRead("environments.list", {}).data?.environments ?? [];
  const open = data?.approvals.filter((one) => one.state === "pending") ?? [];
  const mine = open.filter((one) => one.refusal === null).length;
  const sentence = data && (open.length === 0 ? "Nothing waits for a decision." : `${formatCount(open.length, "request")} ${open.length === 1 ? "waits" : "wait"} for a decision; ${mine === 0 ? "none of them for yours" : `${mine} for yours`}.`);
  return (
    <Page>
      {environments.map((one) => (
        <FollowApprovals key={one.id} environmentId={one.id} />
      ))}
      <PageHeader title="Approvals" sentence={sentence} />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading approvals" count={2} />}
      {data?.approvals.length === 0 && (
        <Empty title="Nobody has asked for an approval." example="in an environment whose rules ask for one, Deploy becomes “Ask for approval”; somebody else then decides here." />
      )}
      {open.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
      {data && data.approvals.length > open.length && (
        <Panel title="Decided and past" padded={false}>
          <ApprovalHistory approvals={data.approvals.filter((one) => one.state !== "pending")} />
        </Panel>
      )}
    </Page>
  );
}

/** Each change is read again; a bypass is also told, by whom and of what. */
function FollowApprovals({ environmentId }: { environmentId: string }) {
  const client = useQueryClient();
  useLive(
    `environment:${environmentId}`,
    ({ data }) => {
      void client.invalidateQueries({ queryKey: ["approvals"] });
      const event = bypassOf(data);
      if (event) toast.warning(`${event.by} deploys ${event.title} without the approval that is needed.`);
    },
    { reads: [["approvals"]] },
  );
  return null;
}

function bypassOf(data: unknown): { by: string; title: string } | null {
  if (typeof data !== "object" || data === null || !("state" in data) || data.state !== "bypassed") return null;
  return { by: "by" in data ? String(data.by) : "Somebody", title: "title" in data ? String(data.title) : "a version" };
}
