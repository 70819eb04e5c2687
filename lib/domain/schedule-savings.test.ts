import { describe, expect, it } from "vitest";
import { savedIn, savedSentence } from "./schedule-savings";

const H = 3_600_000;
const month = { from: 0, to: 720 * H };
const sleep = { from: 10 * H, to: 24 * H, replicas: 1, share: 1 };

describe("what a sleep saved", () => {
  it.each([
    ["all of it, when the node went at once", sleep, [], { asleepHours: 14, keptHours: 0, savedHours: 14 }],
    ["less ten minutes in which the node stayed", sleep, [{ from: 10 * H, to: 10.25 * H, share: 1 }], { keptHours: 0.25, savedHours: 13.75 }],
    ["nothing, when the node stayed all the time", sleep, [{ from: 0, to: 100 * H, share: 1 }], { keptHours: 14, savedHours: 0 }],
    ["for each replica", { ...sleep, replicas: 3 }, [{ from: 10 * H, to: 11 * H, share: 1 }], { asleepHours: 42, savedHours: 41 }],
    ["only the part of a node that it uses", { ...sleep, share: 0.25 }, [{ from: 10 * H, to: 24 * H, share: 1 }], { asleepHours: 3.5, savedHours: 0 }],
    ["only within the month", { ...sleep, from: -10 * H }, [], { asleepHours: 24 }],
    ["nothing of a sleep in another month", { ...sleep, from: 800 * H, to: 900 * H }, [], { asleepHours: 0, savedHours: 0 }],
    ["never less than nothing, however much was paid", sleep, [{ from: 0, to: 100 * H, share: 1 }, { from: 0, to: 100 * H, share: 1 }], { savedHours: 0 }],
  ])("%s", (_, one, paid, expected) => expect(savedIn(one, { paid, within: month })).toMatchObject(expected));

  it("is said with what was not saved", () => {
    expect(savedSentence({ asleepHours: 14, keptHours: 2, savedHours: 12 }, "9.66 USD")).toBe("12.0 node hours were not paid, which would have been 9.66 USD. 2.0 h of sleep were paid all the same: the node stayed after its pod had gone. Let the node pool go down to 0 to save them.");
    expect(savedSentence({ asleepHours: 0, keptHours: 0, savedHours: 0 }, "")).toBe("Nothing slept this month.");
  });
});
