import "server-only";
import type { PrivacyFact } from "@/lib/domain/privacy";
import type { Db } from "@/lib/platform/db";
import { settleAlerts, type Subject } from "./alerts-look";

const PREFIX = "privacy:";

/** What was proved and is not any more becomes an alert of its own, and is told; it ends when the fact is no longer broken. */
export async function settlePrivacy(db: Db, subject: Subject, { facts, worse, now }: { facts: readonly PrivacyFact[]; worse: readonly PrivacyFact[]; now: Date }): Promise<void> {
  const open = await db.alert.findMany({ where: { deploymentId: subject.id, endedAt: null, kind: { startsWith: PREFIX } }, select: { kind: true } });
  if (open.length + worse.length === 0) return;
  const isKnown = (id: string) => worse.some((fact) => fact.id === id) || open.some(({ kind }) => kind === PREFIX + id);
  const found = facts.filter((fact) => fact.verdict === "broken" && isKnown(fact.id)).map((fact) => ({ kind: PREFIX + fact.id, sentence: `${subject.name} is less private than it was: “${fact.title}” does not hold any more. ${fact.sentence}` }));
  await settleAlerts(db, subject, { found, isOurs: (kind) => kind.startsWith(PREFIX), now });
}
