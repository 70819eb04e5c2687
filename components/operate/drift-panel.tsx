"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Drift = Output<"drift.get">;
type Way = "adopt" | "revert";

/** Where the cluster is not as the revision says, by field and owner, with both ways out of it. Nothing when it is as it should be. */
export function DriftPanel({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const drift = useRead("drift.get", { id: deploymentId }, { refetchInterval: 15_000 });
  const may = useCan("deployment.apply", environmentId);
  if (!drift.data?.since) return null;
  return (
    <Notice
      tone="warning"
      title="Changed in the cluster by hand"
      action={
        <span className="flex gap-2">
          <WayButton id={deploymentId} way="revert" disabledReason={may.reason} />
          <WayButton id={deploymentId} way="adopt" disabledReason={may.reason} />
        </span>
      }
    >
      <p>First seen <RelativeTime at={drift.data.since} />.</p>
      <Fields objects={drift.data.objects} />
    </Notice>
  );
}

function Fields({ objects }: { objects: Drift["objects"] }) {
  return (
    <ul className="mt-1 grid gap-1">
      {objects.map((object) => (
        <li key={object.key}>
          <span className="font-medium">{object.kind} {object.name}</span>
          {object.isGone && " was deleted"}
          <ul className="ml-4 grid gap-0.5">
            {object.changes.map((change) => (
              <li key={`${change.path}${change.owner}`} className="text-sm break-all">
                <code className="font-mono">{change.path}</code>
                {change.isOverride && <Badge tone="accent">override</Badge>}: {change.wanted ?? "not set"} → {change.found ?? "gone"}
                {change.owner && `, by ${change.owner}`}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const WORDS: Record<Way, { button: string; title: string; done: string }> = {
  revert: { button: "Revert", title: "Take back what was changed by hand?", done: "Reverted" },
  adopt: { button: "Adopt", title: "Make it the next revision?", done: "Adopted" },
};

function WayButton({ id, way, disabledReason }: { id: string; way: Way; disabledReason: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const prepared = useRead("drift.preview", { id, way }, { enabled: isOpen });
  const apply = useWrite("deployments.apply", ["drift"]);
  const words = WORDS[way];
  if (disabledReason) return <Button size="sm" disabledReason={disabledReason}>{words.button}</Button>;
  const { digest, blockers = [], summary = [], needsApproval = false } = prepared.data ?? { digest: null };
  const refusal = prepared.error?.message ?? blockers[0] ?? (needsApproval ? "This environment asks for an approval: request it on the deploy page." : prepared.data ? null : "It is being worked out.");
  const run = async () => {
    if (!digest) return;
    await apply.mutateAsync({ digest }).then(() => toast.success(words.done), (error: Error) => toast.error(error.message));
    setOpen(false);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button size="sm">{words.button}</Button>}
      title={words.title}
      footer={<><DialogClose asChild><Button>Cancel</Button></DialogClose><Button variant="primary" pending={apply.isPending} disabledReason={refusal} onClick={() => void run()}>{words.button}</Button></>}
    >
      <ul className="grid gap-1">{summary.map((line) => <li key={line}>{line}</li>)}</ul>
      {prepared.error && <p role="alert" className="text-failed">{prepared.error.message}</p>}
    </Dialog>
  );
}
