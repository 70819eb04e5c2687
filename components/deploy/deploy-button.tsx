"use client";

import { Rocket } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useWrite } from "@/lib/client/hooks";
import type { Preview } from "./use-preview";

type DeployButtonProps = { preview: Preview; targetName: string; disabledReason: string | null; label?: string };

/** The deed: it sends the digest of what is shown and nothing else. When the cluster has moved, it asks for a new look. */
export function DeployButton({ preview, targetName, disabledReason, label = "Deploy" }: DeployButtonProps) {
  const router = useRouter();
  const apply = useWrite("deployments.apply", ["environments", "costs"]);
  const { answer } = preview;
  const reason = disabledReason ?? answer?.blockers[0] ?? (answer?.basis === "local" ? answer.basisNote : null);
  const isMoved = apply.error?.status === 409;

  async function deploy() {
    if (!answer?.digest) return;
    const done = await apply.mutateAsync({ digest: answer.digest }).catch(() => null);
    if (!done) return;
    toast.success(`Deploying ${answer.name} to ${targetName}`);
    router.push(`/deployments/${done.deploymentId}`);
  }

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
      <Button variant="primary" size="lg" onClick={() => void deploy()} pending={apply.isPending || (!reason && !preview.isSettled)} disabledReason={reason}>
        <Rocket aria-hidden /> {label} to {targetName}
      </Button>
    </div>
  );
}
