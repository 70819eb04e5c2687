import { describe, expect, it } from "vitest";
import { counterGain, successesIn } from "./usage-metrics";

describe("the engine's own counter", () => {
  it("is the sum over its labels, without what was aborted", () =>
    expect(successesIn('# TYPE vllm:request_success_total counter\nvllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 12.0\nvllm:request_success_total{engine="1",finished_reason="length",model_name="m"} 3\nvllm:request_success_total{engine="0",finished_reason="abort",model_name="m"} 7.0\nvllm:request_success_created{} 1.7e9\n')).toBe(15n));
  it("reads large numbers as they are written", () => expect(successesIn("vllm:request_success_total 1.5e+06")).toBe(1_500_000n));
  it("is not zero when it is not told", () => expect(successesIn("# nothing here\n")).toBeNull());
  it.each([
    ["first reading", null, 5n, 5n],
    ["growth", 5n, 9n, 4n],
    ["no growth", 9n, 9n, 0n],
    ["a restart", 9n, 2n, 2n],
  ])("%s", (_name, before, now, gain) => expect(counterGain(before, now)).toBe(gain));
});
