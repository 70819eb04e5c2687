import "server-only";
import { ScheduleRule, type SchedulePlan } from "@/lib/domain/schedule";
import type { Schedule } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";

/** A deployment woken outside its hours goes back to sleep after so long without pages when nothing else is said. */
export const IDLE_AFTER_WAKE_MINUTES = 15;

/** What holds for one deployment: its own rule or idle time, else its environment's. Instants in epoch ms. */
export type Effective = { plan: SchedulePlan | null; keepUntil: number | null; countsFrom: number; idleMinutes: number | null };

/** Puts a deployment's own schedule over its environment's; each of hours and idle time is taken from the nearest that has one. */
export function effectiveOf(own: Schedule | null, inherited: Schedule | null): Effective {
  const source = own?.rule ? own : inherited?.rule ? inherited : null;
  const keep = own?.keepFrom && own.keepUntil ? { from: own.keepFrom.getTime(), until: own.keepUntil.getTime() } : undefined;
  return {
    plan: source ? { rule: ScheduleRule.parse(source.rule), keep } : null,
    keepUntil: keep?.until ?? null,
    countsFrom: source?.countsFrom.getTime() ?? 0,
    idleMinutes: own?.idleMinutes ?? inherited?.idleMinutes ?? null,
  };
}

/** The schedules of whole environments, by environment. */
export async function environmentSchedules(db: Db | Tx, environmentIds?: string[]): Promise<Map<string, Schedule>> {
  const rows = await db.schedule.findMany({ where: { deploymentId: null, ...(environmentIds ? { environmentId: { in: environmentIds } } : {}) } });
  return new Map(rows.map((row) => [row.environmentId, row]));
}
