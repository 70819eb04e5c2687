"use client";

import { formatCount } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { ApprovalCard } from "./approval-card";
import { ApprovalHistory } from "./approval-history";

export function ApprovalsPage() {
  const { data, error, refetch } = useRead("approvals.list", {}, { refetchInterval: 60_000 });
  const open = data?.approvals.filter((one) => one.state === "pending") ?? [];
  const usable = data?.approvals.filter((one) => one.mayUse) ?? [];
  const past = data?.approvals.filter((one) => one.state !== "pending" && !one.mayUse) ?? [];
  const mine = open.filter((one) => one.refusal === null).length;
  const sentence = data && (open.length === 0 ? "Nothing waits for a decision." : `${formatCount(open.length, "request")} ${open.length === 1 ? "waits" : "wait"} for a decision; ${mine === 0 ? "none of them for yours" : `${mine} for yours`}.`);
  return (
    <Page>
      <PageHeader title="Approvals" sentence={sentence} />
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingPanels label="Loading approvals" count={2} />}
      {data?.approvals.length === 0 && (
        <Empty title="Nobody has asked for an approval." example="in an environment whose rules ask for one, Deploy becomes “Ask for approval”; somebody else then decides here." />
      )}
      {[...usable, ...open].map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
      {past.length > 0 && (
        <Panel title="Decided and past" padded={false}>
          <ApprovalHistory approvals={past} />
        </Panel>
      )}
    </Page>
  );
}
