"use client";

import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useFreshSignIn } from "@/components/ui/sign-in-again";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import type { ApprovalRow } from "./approval-card";

/** The deed for what was approved: its digest is sent, and nothing that could be changed on the way. */
export function ApplyApproved({ approval }: { approval: ApprovalRow }) {
  const router = useRouter();
  const apply = useWrite("deployments.apply", ["environments", "costs", "approvals"]);
  const { data } = useRead("deployments.previewed", { digest: approval.digest });
  const { withFreshSignIn, signInDialog } = useFreshSignIn();
  const takesAway = data?.takesAway ?? [];
  const label = `Deploy to ${approval.environmentName}`;

  async function deploy() {
    const input = { digest: approval.digest, ...(takesAway.length > 0 ? { confirmName: approval.title } : {}) };
    const done = await withFreshSignIn(() => apply.mutateAsync(input)).catch(() => null);
    if (!done) return;
    toast.success(`Deploying ${approval.title} to ${approval.environmentName}`);
    router.push(`/deployments/${done.deploymentId}`);
  }

  return (
    <div className="grid gap-3 border-t pt-4">
      {apply.error && <Notice tone="failed" title={apply.error.message} />}
      <p>
        {approval.isBypass ? "You bypass the approval" : `${approval.decidedBy ?? "Somebody"} approved it`}
        {approval.decisionReason && `: ${approval.decisionReason}`}. It may be deployed once.
      </p>
      {takesAway.length > 0 ? (
        <ConfirmDialog trigger={<Button variant="primary" className="justify-self-start" pending={apply.isPending}>{label}</Button>} title={`${label}, which takes something away?`} goes={takesAway} typedName={approval.title} actionLabel={label} onConfirm={deploy} />
      ) : (
        <Button variant="primary" className="justify-self-start" pending={apply.isPending || !data} onClick={() => void deploy()}>{label}</Button>
      )}
      {signInDialog}
    </div>
  );
}
