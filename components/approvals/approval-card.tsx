"use client";

import Link from "next/link";
import { useState } from "react";
import { EnvironmentBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { Facts } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { ExactTime, RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import { EnvironmentKind } from "@/lib/domain/environment";
import { ApplyApproved } from "./apply-approved";
import { ApprovedBudget } from "./approved-budget";
import { ApprovedChange } from "./approved-change";

export type ApprovalRow = Output<"approvals.list">["approvals"][number];

export function ApprovalCard({ approval }: { approval: ApprovalRow }) {
  const isBudget = approval.about === "budget";
  return (
    <Panel
      title={`${approval.title} ${isBudget ? "in" : "to"} ${approval.environmentName}`}
      actions={<EnvironmentBadge kind={EnvironmentKind.parse(approval.environmentKind)}>{approval.environmentName}</EnvironmentBadge>}
    >
      <div className="grid gap-4">
        <Facts
          facts={[
            { name: "Asked by", value: <>{approval.requestedBy}, <RelativeTime at={approval.requestedAt} /></> },
            { name: "Why", value: approval.reason },
            ...(isBudget ? [] : [{ name: "Exactly this", value: <DigestText digest={approval.digest} /> }]),
            { name: "Until", value: <ExactTime at={approval.expiresAt} /> },
          ]}
        />
        {isBudget ? <ApprovedBudget approval={approval} /> : <Change approval={approval} />}
        {approval.state === "pending" ? <Decide approval={approval} /> : <ApplyApproved approval={approval} />}
      </div>
    </Panel>
  );
}

function Change({ approval }: { approval: ApprovalRow }) {
  const [isOpen, setOpen] = useState(approval.refusal === null);
  return (
    <>
      <Button className="justify-self-start" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide what would be applied" : "Show what would be applied"}
      </Button>
      {isOpen && <ApprovedChange digest={approval.digest} />}
    </>
  );
}

/** The digest decides: what is applied has this one, or is refused. */
export function DigestText({ digest }: { digest: string }) {
  return (
    // Positioned, so that the button's hidden words stay inside a table that scrolls.
    <span className="relative flex items-center gap-1">
      <code className="font-mono text-sm break-all">{digest.slice(0, 16)}…</code>
      <CopyButton text={digest} label="Copy the digest" />
    </span>
  );
}

function Decide({ approval }: { approval: ApprovalRow }) {
  const [reason, setReason] = useState("");
  const approve = useWrite("approvals.approve");
  const reject = useWrite("approvals.reject");
  const error = approve.error ?? reject.error;
  const done = (what: string) => ({ onSuccess: () => void toast.success(`${approval.title} is ${what}.`) });
  const noReason = reason.trim().length < 3 ? "Say why, in a few words: whoever asked reads it." : null;
  return (
    <div className="grid gap-3 border-t pt-4">
      {error && <Notice tone="failed" title={error.message} />}
      <Field label="Reason" hint="Needed to reject; kept in the audit log.">
        <Input value={reason} maxLength={1000} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" pending={approve.isPending} disabledReason={approval.refusal} onClick={() => approve.mutate({ id: approval.id, reason }, done("approved"))}>
          Approve
        </Button>
        <Button variant="destructive" pending={reject.isPending} disabledReason={approval.refusal ?? noReason} onClick={() => reject.mutate({ id: approval.id, reason }, done("rejected"))}>
          Reject
        </Button>
        {approval.deploymentId && (
          <Link href={`/deployments/${approval.deploymentId}`} className="text-sm text-muted-foreground underline-offset-4 hover:underline">
            What runs now
          </Link>
        )}
      </div>
      {approval.refusal && <p className="text-sm text-muted-foreground">{approval.refusal}</p>}
    </div>
  );
}
