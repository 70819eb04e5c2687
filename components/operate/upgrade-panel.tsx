"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Advice = Output<"upgrade.advice">["advice"][number];
const WEIGHTS: Record<Advice["weight"], string> = { urgent: "do this", better: "better", possible: "possible" };

/** What is known against the engine or the weights that run, and what is newer. Nothing when nothing is better. */
export function UpgradePanel({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const { data } = useRead("upgrade.advice", { id: deploymentId });
  if (!data || data.advice.length === 0) return null;
  return (
    <Panel title="Upgrades" description="From what is published of engine releases and weights.">
      <ul className="grid gap-4">
        {data.advice.map((advice) => (
          <li key={advice.id} className="grid gap-1">
            <p className="flex flex-wrap items-center gap-2"><span className="font-medium">{advice.title}</span> <Badge>{WEIGHTS[advice.weight]}</Badge></p>
            <ul className="grid list-disc gap-0.5 pl-5 text-sm text-muted-foreground">{advice.changes.map((line) => <li key={line}>{line}</li>)}</ul>
            <span className="flex flex-wrap items-center gap-3">
              <Prepared advice={advice} deploymentId={deploymentId} environmentId={environmentId} />
              <a href={advice.source} rel="noreferrer noopener" target="_blank" className="text-sm underline underline-offset-4">Source</a>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Prepared({ advice, deploymentId, environmentId }: { advice: Advice; deploymentId: string; environmentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const may = useCan("deployment.apply", environmentId);
  const prepared = useRead("upgrade.preview", { id: deploymentId, adviceId: advice.id }, { enabled: isOpen });
  const apply = useWrite("deployments.apply", ["upgrade"]);
  if (may.reason) return <Button size="sm" disabledReason={may.reason}>Prepare</Button>;
  const { digest, blockers = [], summary = [], needsApproval = false } = prepared.data ?? { digest: null };
  const refusal = prepared.error?.message ?? blockers[0] ?? (needsApproval ? "This environment asks for an approval: make the change on the deploy page." : prepared.data ? null : "It is being worked out.");
  const run = async () => {
    if (!digest) return;
    await apply.mutateAsync({ digest }).then(() => toast.success("The upgrade is being applied."), (error: Error) => toast.error(error.message));
    setOpen(false);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button size="sm">Prepare</Button>}
      title={advice.title}
      description="What applying it would do, asked from the cluster."
      footer={<><DialogClose asChild><Button>Cancel</Button></DialogClose><Button variant="primary" pending={apply.isPending} disabledReason={refusal} onClick={() => void run()}>Upgrade</Button></>}
    >
      <ul className="grid gap-1">{summary.map((line) => <li key={line}>{line}</li>)}</ul>
      {refusal && prepared.data && <p role="alert" className="text-failed">{refusal}</p>}
    </Dialog>
  );
}
