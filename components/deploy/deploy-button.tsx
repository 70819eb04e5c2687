"use client";

import { Rocket } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useFreshSignIn } from "@/components/ui/sign-in-again";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import { ApprovalGate, type ApprovalRow } from "./approval-gate";
import type { Preview, PreviewAnswer } from "./use-preview";

type DeployButtonProps = { preview: Preview; targetName: string; disabledReason: string | null; label?: string };
type Bound = PreviewAnswer & { digest: string };

const isBound = (answer: PreviewAnswer | undefined): answer is Bound => typeof answer?.digest === "string";

/** The approval of exactly this version that counts: one that may be used, else the newest. */
function useApproval(answer: PreviewAnswer | undefined): { isNeeded: boolean; isKnown: boolean; row: ApprovalRow | undefined } {
  const isNeeded = isBound(answer) && answer.needsApproval;
  const { data } = useRead("approvals.list", isBound(answer) ? { environmentId: answer.environmentId, digest: answer.digest } : {}, { enabled: isNeeded });
  return { isNeeded, isKnown: data !== undefined, row: data?.approvals.find((one) => one.mayUse) ?? data?.approvals[0] };
}

/** The deed: it sends the digest of what is shown and nothing else. When the cluster has moved, it asks for a new look. */
export function DeployButton({ preview, targetName, disabledReason, label = "Deploy" }: DeployButtonProps) {
  const router = useRouter();
  const apply = useWrite("deployments.apply", ["environments", "costs", "approvals"]);
  const { answer } = preview;
  const { isNeeded, isKnown, row } = useApproval(answer);
  const reason = disabledReason ?? answer?.blockers[0] ?? (answer?.basis === "local" ? answer.basisNote : null);
  const isMoved = apply.error?.status === 409;
  const isTaking = answer !== undefined && answer.takesAway.length > 0;
  const { withFreshSignIn, signInDialog } = useFreshSignIn();
  const [why, setWhy] = useState("");

  async function deploy() {
    if (!answer?.digest) return;
    const input = { digest: answer.digest, ...(isTaking ? { confirmName: answer.name } : {}) };
    const done = await withFreshSignIn(() => apply.mutateAsync(input)).catch(() => null);
    if (!done) return;
    toast.success(`Deploying ${answer.name} to ${targetName}`);
    router.push(`/deployments/${done.deploymentId}`);
  }

  const isGated = isNeeded && !reason && preview.isSettled && isKnown && row?.mayUse !== true;
  return (
    <div className="grid gap-3">
      {apply.error && (
        <Notice
          tone="failed"
          title={apply.error.message}
          action={isMoved ? <Button size="sm" onClick={() => (apply.reset(), preview.again())}>Preview again</Button> : undefined}
        />
      )}
      {preview.error && <Notice tone="failed" title={preview.error.message} action={<Button size="sm" onClick={preview.again}>Try again</Button>} />}
      {isNeeded && row?.mayUse && <Approved row={row} />}
      {isGated && isBound(answer) ? (
        <ApprovalGate answer={answer} row={row} targetName={targetName} why={{ text: why, set: setWhy }} onBypassed={isTaking ? undefined : deploy} />
      ) : (
        <Deed answer={answer} label={`${label} to ${targetName}`} pending={apply.isPending || (!reason && (!preview.isSettled || (isNeeded && !isKnown)))} disabledReason={reason} onDeploy={deploy} />
      )}
      {signInDialog}
    </div>
  );
}

type DeedProps = { answer: PreviewAnswer | undefined; label: string; pending: boolean; disabledReason: string | null | undefined; onDeploy: () => Promise<void> };

/** One click; or, where production loses something, the list of it and the typed name first. */
function Deed({ answer, label, pending, disabledReason = null, onDeploy }: DeedProps) {
  const face = <><Rocket aria-hidden /> {label}</>;
  const look = { variant: "primary", size: "lg", pending, disabledReason } as const;
  if (!answer || answer.takesAway.length === 0 || disabledReason) return <Button {...look} onClick={() => void onDeploy()}>{face}</Button>;
  return <ConfirmDialog trigger={<Button {...look}>{face}</Button>} title={`${label}, which takes something away?`} goes={answer.takesAway} typedName={answer.name} actionLabel={label} onConfirm={onDeploy} />;
}

function Approved({ row }: { row: ApprovalRow }) {
  if (row.isBypass) return <Notice tone="warning" title="You bypass the approval for this version: everybody is told.">{row.reason}</Notice>;
  return <Notice tone="ready" title={`${row.decidedBy ?? "Somebody"} approved exactly this version.`}>{row.decisionReason || "It may be deployed once within 24 hours."}</Notice>;
}
