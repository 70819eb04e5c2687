"use client";

import { Check, Circle, TriangleAlert } from "lucide-react";
import { z } from "zod";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { ClockTime } from "@/components/ui/time";
import { WorkingRing } from "@/components/ui/working-ring";
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

function StepItem({ step }: { step: Step }) {
  return (
    <li className="flex items-center gap-2">
      <StepIcon state={step.state} />
      <span className={cn("font-medium", step.state === "waiting" && "font-normal text-muted-foreground")}>{STEP_NAMES[step.id] ?? step.id}</span>
      <span className="text-sm text-muted-foreground">
        <span className={step.state === "waiting" || step.state === "done" ? "sr-only" : undefined}>{STATE_WORDS[step.state]} </span>
        {step.since && <ClockTime at={step.since} />}
      </span>
    </li>
  );
}

/** Where the rollout stands, step by step, as the cluster's own objects say; its words stand below ours. */
export function RolloutPanel({ view }: { view: DeploymentView }) {
  const status = LiveStatus.safeParse(view.status).data;
  const { deployment } = view;
  const isBad = deployment.state === "failed" || deployment.state === "timed_out";
  const message = status?.message ?? (isBad ? deployment.message : null);
  return (
    <Panel title="Rollout" description={status?.sentence ?? deployment.message}>
      <div className="grid gap-4" aria-live="polite">
        {status && (
          <ol className="flex flex-wrap gap-x-6 gap-y-2">
            {status.steps.map((step) => (
              <StepItem key={step.id} step={step} />
            ))}
          </ol>
        )}
        {message && (
          <Notice tone={isBad ? "failed" : "warning"} title={isBad ? (status?.sentence ?? "It did not work.") : "The cluster says"}>
            <span className="font-mono text-sm">{message}</span>
          </Notice>
        )}
      </div>
    </Panel>
  );
}
