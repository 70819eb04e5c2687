import "server-only";
import { lastChange, nextChange, type SchedulePlan } from "@/lib/domain/schedule";
import type { Scheduled } from "./schedules-state";

/** A start or stop that belongs to one slot; its id is deployment and slot. */
export type Due = { id: string; deploymentId: string; slot: Date; action: "start" | "stop"; cause: "hours" | "idle" | "wake" };

/** Pages under way are spared when hours end, for so long at most. */
const SPARE_MS = 15 * 60_000;

export function firingId(deploymentId: string, slot: Date, action: Due["action"]): string {
  return `${deploymentId}@${slot.toISOString()}#${action}`;
}

/** What should have happened by now to a deployment: the last change of its hours, else a stop for idleness; null when nothing should. */
export function dueOf({ row, effective, isRunning, idle, pagesWaiting }: Scheduled, now: Date): Due | null {
  const at = now.getTime();
  const change = effective.plan ? lastChange(effective.plan, { at, since: effective.countsFrom }) : null;
  const due = (slot: number, action: Due["action"], cause: Due["cause"]) => ({ id: firingId(row.id, new Date(slot), action), deploymentId: row.id, slot: new Date(slot), action, cause });
  if (isRunning && idle?.state === "idle" && idle.stopsAt <= at && idle.stopsAt > (change?.at ?? 0)) return due(idle.stopsAt, "stop", "idle");
  if (!change) return null;
  if (!change.isOn && isRunning && pagesWaiting > 0 && at - change.at < SPARE_MS) return null;
  return due(change.at, change.isOn ? "start" : "stop", "hours");
}

export type Next = { at: number; action: "start" | "stop"; cause: "hours" | "idle" };

/** The next thing that will change what a deployment does now; starts of what runs and stops of what sleeps are left out. */
export function nextOf({ effective, isRunning, idle }: Scheduled, now: Date): Next | null {
  const byHours = effective.plan ? nextTo(effective.plan, { isOn: !isRunning, after: now.getTime() }) : null;
  const hours: Next | null = byHours === null ? null : { at: byHours, action: isRunning ? "stop" : "start", cause: "hours" };
  const byIdle: Next | null = isRunning && idle?.state === "idle" ? { at: idle.stopsAt, action: "stop", cause: "idle" } : null;
  return byIdle && (!hours || byIdle.at < hours.at) ? byIdle : hours;
}

function nextTo(plan: SchedulePlan, { isOn, after }: { isOn: boolean; after: number }): number | null {
  const first = nextChange(plan, after);
  if (!first || first.isOn === isOn) return first?.at ?? null;
  return nextChange(plan, first.at)?.at ?? null;
}
