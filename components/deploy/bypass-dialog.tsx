"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useWrite } from "@/lib/client/hooks";
import type { PreviewAnswer } from "./use-preview";

type BypassDialogProps = { answer: PreviewAnswer & { digest: string }; targetName: string; /** Goes on at once; without it the deed asks for more first. */ onBypassed: (() => Promise<void>) | undefined };

/** The explicit way round the gate: a deed of its own, with a reason, that everybody hears of. */
export function BypassDialog({ answer, targetName, onBypassed }: BypassDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const bypass = useWrite("approvals.bypass");
  const missing = reason.trim().length < 3 ? "Say why, in a few words: everybody reads it." : null;

  async function go() {
    const done = await bypass.mutateAsync({ environmentId: answer.environmentId, digest: answer.digest, reason }).catch(() => null);
    if (!done) return;
    setOpen(false);
    await onBypassed?.();
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button variant="ghost">Bypass with a reason…</Button>}
      title={`Deploy ${answer.name} to ${targetName} without approval?`}
      description="Nobody else has looked at this version."
      footer={
        <Button variant="destructive" pending={bypass.isPending} disabledReason={missing} onClick={() => void go()}>
          {onBypassed ? "Bypass and deploy" : "Bypass"}
        </Button>
      }
    >
      {bypass.error && <Notice tone="failed" title={bypass.error.message} />}
      <ul className="grid list-disc gap-1 pl-5">
        <li>Everybody who sees {targetName} is told, by whom and why; the notice stays for a week.</li>
        <li>The audit log keeps it as an event of its own, bound to this version.</li>
        <li>It serves only you, only for this version, once.</li>
      </ul>
      <Field label="Why it cannot wait" required>
        <Textarea rows={2} value={reason} maxLength={1000} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  );
}
