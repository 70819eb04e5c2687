"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useWrite } from "@/lib/client/hooks";
import type { ApprovalRow } from "./approval-card";

/** The deed for what was approved: its digest is sent, and nothing that could be changed on the way. */
export function ApplyApproved({ approval }: { approval: ApprovalRow }) {
  const router = useRouter();
  const apply = useWrite("deployments.apply", ["environments", "costs", "approvals"]);

  async function deploy() {
    const done = await apply.mutateAsync({ digest: approval.digest }).catch(() => null);
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
      <Button variant="primary" className="justify-self-start" pending={apply.isPending} onClick={() => void deploy()}>
        Deploy to {approval.environmentName}
      </Button>
    </div>
  );
}
