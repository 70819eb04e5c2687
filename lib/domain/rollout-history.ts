import { stepIds, type RolloutStep, type StepId } from "./rollout-steps";

/** Seconds that each step usually took, from the end of the one before; null for steps without a history. `totalSeconds` is applied to ready. */
export type UsualDurations = { steps: Record<StepId, number | null>; totalSeconds: number | null; rollouts: number };

/** Medians over the rollouts that got ready; `history` holds the steps of each. */
export function usualDurations(history: readonly (readonly RolloutStep[])[]): UsualDurations {
  const spans = history.map(spansOf);
  const steps = Object.fromEntries(stepIds.map((id) => [id, median(spans.flatMap((span) => span[id] ?? []))])) as Record<StepId, number | null>; // made from stepIds, so complete
  const totals = history.flatMap((each) => secondsBetween(timeOf(each, "applied"), timeOf(each, "ready")) ?? []);
  return { steps, totalSeconds: median(totals), rollouts: history.length };
}

function spansOf(steps: readonly RolloutStep[]): Partial<Record<StepId, number>> {
  const spans: Partial<Record<StepId, number>> = {};
  for (const [index, id] of stepIds.entries()) {
    const before = stepIds[index - 1];
    const seconds = before === undefined ? undefined : secondsBetween(timeOf(steps, before), timeOf(steps, id));
    if (seconds !== undefined) spans[id] = seconds;
  }
  return spans;
}

function timeOf(steps: readonly RolloutStep[], id: StepId): string | null {
  return steps.find((step) => step.id === id && step.state === "done")?.since ?? null;
}

function secondsBetween(from: string | null, to: string | null): number | undefined {
  if (from === null || to === null) return undefined;
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return seconds >= 0 ? seconds : undefined;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return null;
  const lower = sorted[sorted.length / 2 - 1];
  return sorted.length % 2 === 0 && lower !== undefined ? (lower + middle) / 2 : middle;
}
