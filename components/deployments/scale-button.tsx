"use client";

import { Scaling } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";

const MOST = 16;

/** Another number of replicas becomes a revision of its own. */
export function ScaleButton({ view }: { view: DeploymentView }) {
  const { deployment, revisions } = view;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(String(deployment.replicas));
  const scale = useWrite("deployments.scale", ["costs"]);
  const may = useCan("deployment.apply", deployment.environmentId);
  const reason = may.reason ?? (revisions[0]?.spec.autoscaling ? "An autoscaler sets the replicas." : undefined);
  const label = <><Scaling aria-hidden /> Scale</>;
  if (reason) return <Button disabledReason={reason}>{label}</Button>;
  const replicas = Number(typed);
  const isNumber = Number.isInteger(replicas) && replicas >= 1 && replicas <= MOST;
  const send = () =>
    scale.mutate({ id: deployment.id, replicas }, { onSuccess: () => (setOpen(false), toast.success(`Scaling ${deployment.name} to ${replicas}`)) });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (setOpen(open), setTyped(String(Math.max(1, deployment.replicas))), scale.reset())}
      trigger={<Button>{label}</Button>}
      title={`Scale ${deployment.name} in ${deployment.environmentName}`}
      description="Each replica needs a GPU of its own, and is paid while it runs. It becomes a revision of its own."
      footer={<Button variant="primary" pending={scale.isPending} disabledReason={isNumber ? undefined : `Give a number from 1 to ${MOST}.`} onClick={send}>Scale</Button>}
    >
      <div className="grid gap-4">
        <Field label="Replicas" hint={`From 1 to ${MOST}; to run none, stop it.`}>
          <Input type="number" min={1} max={MOST} value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        {scale.error && <Notice tone="failed" title={scale.error.message} />}
      </div>
    </Dialog>
  );
}
