import { describe, expect, it } from "vitest";
import { nextStep, temperatureAfter, type AttemptOutcome } from "./retry-ladder";

const after = (...outcomes: AttemptOutcome[]) => outcomes.map((outcome) => ({ outcome }));
const step = (outcomes: AttemptOutcome[], retryAfterSeconds?: number) => nextStep(after(...outcomes), { retryAfterSeconds, jitter: 0 });

describe("the retry ladder", () => {
  it("starts at the model card's temperature and climbs with each loop", () => {
    expect([[], ["loop"], ["loop", "loop"], ["busy", "loop"]].map((past) => temperatureAfter(after(...(past as AttemptOutcome[]))))).toEqual([0.2, 0.5, 0.8, 0.5]);
  });

  it("tries a loop again at another temperature, twice, then ends", () => {
    expect(step(["loop"])).toEqual({ kind: "again", temperature: 0.5, withoutLimit: false });
    expect(step(["loop", "loop"])).toEqual({ kind: "again", temperature: 0.8, withoutLimit: false });
    expect(step(["loop", "loop", "loop"])).toEqual({ kind: "end" });
  });

  it.each(["busy", "unreachable", "broken"] as const)("waits twice as long after each passing fault (%s), and ends after the sixth", (fault) => {
    const waits = [1, 2, 3, 4, 5].map((times) => step(Array.from({ length: times }, () => fault)));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000].map((ms) => ({ kind: "wait", ms })));
    expect(step(Array.from({ length: 6 }, () => fault))).toEqual({ kind: "end" });
  });

  it("waits as long as the engine asks, when that is longer", () => {
    expect(step(["busy"], 7)).toEqual({ kind: "wait", ms: 7000 });
    expect(step(["busy", "busy", "busy"], 1)).toEqual({ kind: "wait", ms: 4000 });
  });

  it("spreads pages that failed together", () => {
    expect(nextStep(after("busy"), { retryAfterSeconds: undefined, jitter: 1 })).toEqual({ kind: "wait", ms: 1500 });
  });

  it("takes a limit off that does not fit the context, once", () => {
    expect(step(["over_limit"])).toEqual({ kind: "again", temperature: 0.2, withoutLimit: true });
    expect(step(["over_limit", "over_limit"])).toEqual({ kind: "end" });
  });

  it.each(["read", "no_boxes", "truncated", "refused", "cancelled", "failed"] as const)("ends after %s", (outcome) => {
    expect(step([outcome])).toEqual({ kind: "end" });
  });
});
