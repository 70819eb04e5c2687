import { describe, expect, it } from "vitest";
import { decideReplicas, SPARE_MS, type ScalerFacts } from "./scaler";

const rule = { minReplicas: 1, maxReplicas: 4, pagesPerReplica: 8 };
const now = 1_000 * 60_000;
const facts: ScalerFacts = { replicas: 2, pages: 16, isSettled: true, spareSince: null, changedAt: 0, now };

describe("replicas by the queue", () => {
  it.each<[string, Partial<ScalerFacts>, number, number | null]>([
    ["stay where they are right", {}, 2, null],
    ["rise at once", { pages: 17 }, 3, null],
    ["rise to the most and not further", { pages: 900 }, 4, null],
    ["wait while the last change is under way", { pages: 900, changedAt: now - 30_000 }, 2, null],
    ["begin to be spare", { pages: 8 }, 2, now],
    ["stay spare for ten minutes", { pages: 8, spareSince: now - SPARE_MS + 1 }, 2, now - SPARE_MS + 1],
    ["fall after ten minutes", { pages: 8, spareSince: now - SPARE_MS }, 1, null],
    ["fall to the least and not further", { pages: 0, spareSince: now - SPARE_MS, replicas: 4 }, 1, null],
    ["do not fall while a change is under way", { pages: 0, spareSince: now - SPARE_MS, isSettled: false }, 2, now - SPARE_MS],
    ["are not spare any more when pages come", { pages: 16, spareSince: now - SPARE_MS }, 2, null],
    ["fall at once to a lowered most", { replicas: 6, pages: 900 }, 4, null],
    ["stay zero while it sleeps", { replicas: 0, pages: 900 }, 0, null],
  ])("%s", (_, more, replicas, spareSince) => expect(decideReplicas(rule, { ...facts, ...more })).toMatchObject({ replicas, spareSince }));
});
