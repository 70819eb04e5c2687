/** Bounds of a deployment whose replicas follow its queue. */
export type ScalerRule = { minReplicas: number; maxReplicas: number; /** Pages that one replica reads at once. */ pagesPerReplica: number };
/** What is known now; instants in epoch ms. `pages`: waiting and running together. `spareSince`: since when fewer replicas would do. */
export type ScalerFacts = { replicas: number; pages: number; isSettled: boolean; spareSince: number | null; changedAt: number; now: number };
export type ScalerDecision = { replicas: number; spareSince: number | null; sentence: string };

/** As an HPA's `scaleDown.stabilizationWindowSeconds` for this load: a start costs minutes. */
export const SPARE_MS = 10 * 60_000;
/** A replica that was just asked for has not eased the queue yet. */
export const SETTLE_MS = 60_000;

/**
 * How many replicas there should be: more at once when the queue asks for them, fewer only after it has asked for fewer for ten
 * minutes, and never while a change is under way. Zero replicas are left alone: sleeping and waking are not scaling.
 */
export function decideReplicas(rule: ScalerRule, facts: ScalerFacts): ScalerDecision {
  const { replicas, pages, now, spareSince } = facts;
  const wanted = Math.min(rule.maxReplicas, Math.max(rule.minReplicas, Math.ceil(pages / rule.pagesPerReplica)));
  const words = `${pages} ${pages === 1 ? "page" : "pages"} at ${rule.pagesPerReplica} a replica`;
  if (replicas === 0) return { replicas, spareSince: null, sentence: "It sleeps: scaling begins when it runs." };
  if (wanted === replicas) return { replicas, spareSince: null, sentence: `${words}: ${wanted} is right.` };
  if (wanted > replicas) {
    const isFresh = now - facts.changedAt < SETTLE_MS;
    return isFresh ? { replicas, spareSince: null, sentence: `${words}: ${wanted} would be right; the last change is under way.` } : { replicas: wanted, spareSince: null, sentence: `${words}: raised from ${replicas} to ${wanted}.` };
  }
  const since = spareSince ?? now;
  // Below the least it goes down at once only when a person has lowered the most.
  const isOver = replicas > rule.maxReplicas;
  if (!facts.isSettled || (!isOver && now - since < SPARE_MS)) return { replicas, spareSince: since, sentence: `${words}: ${wanted} would do; lowered after ten quiet minutes.` };
  return { replicas: wanted, spareSince: null, sentence: `${words}: lowered from ${replicas} to ${wanted}; pages that are being read are finished first.` };
}
