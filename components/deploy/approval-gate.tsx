"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useCan, useWrite } from "@/lib/client/hooks";
import { BypassDialog } from "./bypass-dialog";
import type { PreviewAnswer } from "./use-preview";

export type ApprovalRow = Output<"approvals.list">["approvals"][number];
type GateProps = {
  answer: PreviewAnswer & { digest: string };
  row: ApprovalRow | undefined;
  targetName: string;
  /** Kept outside, as a changed form takes the gate away until its preview has come. */
  why: { text: string; set: (text: string) => void };
  onBypassed: (() => Promise<void>) | undefined;
};

/** What stands between a preview and its deed where somebody else must approve: ask, wait, or declare a bypass. */
export function ApprovalGate({ onBypassed, ...asked }: GateProps) {
  const { answer, row, targetName } = asked;
  const bypass = useCan("deployment.bypass", answer.environmentId);
  const isWaiting = row?.state === "pending";
  return (
    <section aria-label="Approval" className="grid gap-3">
      {isWaiting ? <Waiting row={row} /> : <Ask {...asked} />}
      {bypass.allowed && <BypassDialog answer={answer} targetName={targetName} onBypassed={onBypassed} />}
    </section>
  );
}

function Waiting({ row }: { row: ApprovalRow }) {
  return (
    <Notice title={`Waits for somebody else's approval. Asked by ${row.requestedBy}.`} action={<Button asChild size="sm"><Link href="/approvals">Approvals</Link></Button>}>
      <RelativeTime at={row.requestedAt} />: {row.reason}. Exactly this version can be approved until tomorrow; when it is, it can be deployed here and under Approvals.
    </Notice>
  );
}

/** Why an earlier request about exactly this version leads no further. */
const PAST: Partial<Record<ApprovalRow["state"], string>> = {
  rejected: "The request was rejected",
  expired: "The last approval is older than 24 hours",
  used: "The approval that was given has been used",
  void: "The request was overtaken by another version",
  approved: "You approved it yourself: whoever asked for it deploys it",
};

function Ask({ answer, row, targetName, why }: Omit<GateProps, "onBypassed">) {
  const ask = useWrite("approvals.request");
  const past = row && !row.isBypass ? PAST[row.state] : undefined;
  const missing = why.text.trim().length < 3 ? "Say why, in a few words: whoever approves reads it." : null;
  const send = () => ask.mutate({ environmentId: answer.environmentId, digest: answer.digest, reason: why.text });
  return (
    <>
      {past && <Notice tone="warning" title={row?.decisionReason ? `${past}: ${row.decisionReason}` : `${past}.`} />}
      {ask.error && <Notice tone="failed" title={ask.error.message} />}
      <Field label="Why" hint={`${targetName} deploys nothing without the approval of somebody else. It is bound to exactly this version, and void when anything changes.`}>
        <Input value={why.text} maxLength={1000} onChange={(event) => why.set(event.target.value)} />
      </Field>
      <Button variant="primary" size="lg" pending={ask.isPending} disabledReason={missing} onClick={send}>
        Ask for approval
      </Button>
    </>
  );
}
