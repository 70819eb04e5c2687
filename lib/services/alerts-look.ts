import "server-only";
import { ALERT_KINDS, breaches, type AlertFacts, type AlertRule, type Breach } from "@/lib/domain/alert";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { Db } from "@/lib/platform/db";
import { publish } from "./live";
import { notify } from "./notifications";

const HOUR_MS = 3_600_000;
/** Older readings say nothing about the queue now. */
const FRESH_MS = 10 * 60_000;
const KINDS: readonly string[] = ALERT_KINDS;

export type Subject = { id: string; name: string; environmentId: string };

/** Looks at every deployment of environments with rules: what begins to break one is told once, and so is its end. Returns how many began. */
export async function lookForAlerts(db: Db, now: Date): Promise<number> {
  const rules = await db.alertRule.findMany();
  const environmentIds = [...new Set(rules.map((rule) => rule.environmentId))];
  const rows = await db.deployment.findMany({
    where: { deletedAt: null, OR: [{ environmentId: { in: environmentIds } }, { alerts: { some: { endedAt: null, kind: { in: [...ALERT_KINDS] } } } }] },
    include: { healthSamples: { where: { at: { gte: new Date(now.getTime() - HOUR_MS) } }, orderBy: { at: "desc" } } },
  });
  const waiting = await portalQueue(db);
  let began = 0;
  for (const row of rows) {
    const own = rules.filter(({ environmentId }) => environmentId === row.environmentId).flatMap(({ kind, threshold }): AlertRule[] => ALERT_KINDS.flatMap((known) => (known === kind ? [{ kind: known, threshold }] : [])));
    const [latest] = row.healthSamples;
    const inEngine = latest && now.getTime() - latest.at.getTime() < FRESH_MS ? latest.waiting : 0;
    const sum = (key: "pages" | "truncated") => row.healthSamples.reduce((all, sample) => all + sample[key], 0);
    const facts: AlertFacts = { name: row.name, isAsleep: DeploymentSpec.parse(row.spec).replicas === 0, isReady: row.state === "ready", stateSince: row.stateSince.getTime(), message: row.message, pagesLastHour: sum("pages"), truncatedLastHour: sum("truncated"), waiting: Math.round(inEngine + (waiting.get(row.id) ?? 0)) };
    began += await settleAlerts(db, row, { found: breaches(facts, { rules: own, now: now.getTime() }), isOurs: (kind) => KINDS.includes(kind), now });
  }
  return began;
}

/** Pages that wait in the portal, by deployment. */
async function portalQueue(db: Db): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ id: string; waiting: bigint }[]>`
    SELECT r.deployment_id::text AS id, count(*) AS waiting FROM run_page p JOIN run r ON r.id = p.run_id
    WHERE p.state = 'queued' AND r.deployment_id IS NOT NULL GROUP BY 1`;
  return new Map(rows.map((row) => [row.id, Number(row.waiting)]));
}

export type Settling = { found: { kind: string; sentence: string }[] | Breach[]; isOurs: (kind: string) => boolean; now: Date };

/** Opens an alert for what is found and ends those that are not found any more; whoever inserts the row is the one who tells. */
export async function settleAlerts(db: Db, subject: Subject, { found, isOurs, now }: Settling): Promise<number> {
  const open = (await db.alert.findMany({ where: { deploymentId: subject.id, endedAt: null } })).filter(({ kind }) => isOurs(kind));
  const fresh = found.filter(({ kind }) => open.every((one) => one.kind !== kind));
  const over = open.filter(({ kind }) => found.every((one) => one.kind !== kind));
  let began = 0;
  for (const { kind, sentence } of fresh) if (await begin(db, subject, { kind, sentence, now })) began += 1;
  for (const alert of over) await end(db, subject, { id: alert.id, sentence: alert.sentence, now });
  return began;
}

async function begin(db: Db, subject: Subject, { kind, sentence, now }: { kind: string; sentence: string; now: Date }): Promise<boolean> {
  const id = crypto.randomUUID();
  return db.$transaction(async (tx) => {
    const { count } = await tx.alert.createMany({ data: [{ id, deploymentId: subject.id, kind, sentence, startedAt: now }], skipDuplicates: true });
    if (count === 0) return false;
    await notify(tx, { environmentId: subject.environmentId, kind: "alert", subject: subject.name, sentence, path: `/deployments/${subject.id}`, dedupeKey: `alert:${id}` });
    await publish(tx, `deployment:${subject.id}`, { data: { alert: kind } });
    return true;
  });
}

async function end(db: Db, subject: Subject, { id, sentence, now }: { id: string; sentence: string; now: Date }): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.alert.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } });
    if (count === 0) return;
    await notify(tx, { environmentId: subject.environmentId, kind: "alert", subject: `${subject.name} is well again`, sentence: `This is over: ${sentence}`, path: `/deployments/${subject.id}`, dedupeKey: `alert:${id}:end` });
    await publish(tx, `deployment:${subject.id}`, { data: { alert: "over" } });
  });
}
