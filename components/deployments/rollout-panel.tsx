"use client";

import { Check, Circle, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { formatDuration } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import { ClockTime } from "@/components/ui/time";
import { WorkingRing } from "@/components/ui/working-ring";
import { useCan, useWrite } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";

const Step = z.object({ id: z.string(), state: z.enum(["waiting", "active", "done", "failed"]), since: z.string().nullable() });
const LiveStatus = z.object({ sentence: z.string(), message: z.string().nullable(), steps: z.array(Step) });
type Step = z.infer<typeof Step>;

const STEP_NAMES: Record<string, string> = {
  applied: "Applied",
  scheduled: "Placed on a node",
  node: "Node prepared",
  image: "Image pulled",
  weights: "Weights loaded",
  ready: "Answers",
};

function StepIcon({ state }: { state: Step["state"] }) {
  if (state === "done") return <Check aria-hidden className="size-4 text-ready" />;
  if (state === "active") return <WorkingRing className="size-4 text-working" />;
  if (state === "failed") return <TriangleAlert aria-hidden className="size-4 text-failed" />;
  return <Circle aria-hidden className="size-4 text-muted-foreground" />;
}

const STATE_WORDS: Record<Step["state"], string> = { waiting: "waiting", active: "under way", done: "done", failed: "failed" };

type Usual = DeploymentView["usual"];

/** The time, renewed every second while somebody waits. */
function useSecond(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}

/** How long the active step has taken, beside how long it usually takes. */
function StepClock({ step, usual }: { step: Step; usual: Usual }) {
  const now = useSecond(step.state === "active");
  const usualSeconds = usual.steps[step.id] ?? null;
  const words = usualSeconds === null || usualSeconds < 1 ? null : `usually ${formatDuration(usualSeconds * 1000)}`;
  if (step.state === "waiting") return words && <span className="text-sm text-muted-foreground">{words}</span>;
  if (!step.since) return null;
  if (step.state === "done") return <span className="text-sm text-muted-foreground"><ClockTime at={step.since} /></span>;
  const elapsed = `for ${formatDuration(Math.max(0, now - Date.parse(step.since)))}`;
  return <span className="text-sm text-muted-foreground" suppressHydrationWarning>{[elapsed, words].filter((each) => each !== null).join(", ")}</span>;
}

function StepItem({ step, usual }: { step: Step; usual: Usual }) {
  return (
    <li className="flex items-center gap-2">
      <StepIcon state={step.state} />
      <span className={cn("font-medium", step.state === "waiting" && "font-normal text-muted-foreground")}>{STEP_NAMES[step.id] ?? step.id}</span>
      <span className={step.state === "waiting" || step.state === "done" ? "sr-only" : "text-sm text-muted-foreground"}>{STATE_WORDS[step.state]}</span>
      <StepClock step={step} usual={usual} />
    </li>
  );
}

/** Where the rollout stands, step by step, as the cluster's own objects say; its words stand below ours. */
export function RolloutPanel({ view }: { view: DeploymentView }) {
  const status = LiveStatus.safeParse(view.status).data;
  const { deployment } = view;
  const isBad = deployment.state === "failed" || deployment.state === "timed_out";
  // With a finding, the cluster's words stand there as evidence.
  const message = view.findings.length > 0 ? null : (status?.message ?? (isBad ? deployment.message : null));
  return (
    <Panel title="Rollout" description={status?.sentence ?? deployment.message}>
      <div className="grid gap-4" aria-live="polite">
        {status && (
          <ol className="flex flex-wrap gap-x-6 gap-y-2">
            {status.steps.map((step) => (
              <StepItem key={step.id} step={step} usual={view.usual} />
            ))}
          </ol>
        )}
        {message && (
          <Notice tone={isBad ? "failed" : "warning"} title={isBad ? (status?.sentence ?? "It did not work.") : "The cluster says"}>
            <span className="font-mono text-sm">{message}</span>
          </Notice>
        )}
        <Unfinished view={view} />
      </div>
    </Panel>
  );
}

/** A revision that was applied in part: what is there, what is not, and the way on. */
function Unfinished({ view }: { view: DeploymentView }) {
  const resume = useWrite("deployments.resume", ["environments"]);
  const may = useCan("deployment.apply", view.deployment.environmentId);
  const [revision] = view.revisions;
  const rollout = revision?.rollouts[0];
  const open = rollout?.objects.filter((object) => object.outcome === "failed" || object.outcome === "not tried") ?? [];
  if (!revision || rollout?.state !== "failed" || open.length === 0) return null;
  return (
    <Notice
      tone="failed"
      title={`Revision ${revision.number} was not applied in full: ${open.map((object) => `${object.kind} ${object.outcome}`).join(", ")}.`}
      action={<Button size="sm" pending={resume.isPending} disabledReason={may.reason} onClick={() => resume.mutate({ id: view.deployment.id }, { onError: (error) => toast.error(error.message) })}>Carry on</Button>}
    >
      {rollout.message} What was applied already is left alone.
    </Notice>
  );
}
