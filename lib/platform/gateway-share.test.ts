import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepAnswers, shareQuestion } from "./gateway-share";

/** Questions that are answered one after the other, by hand. */
function byHand() {
  const open: ((value: string) => void)[] = [];
  const ask = vi.fn(() => new Promise<string>((resolve) => open.push(resolve)));
  return { ask, answer: (value: string) => open.shift()?.(value) };
}

describe("questions that are asked at once", () => {
  it("share an answer that is never older than the asking", async () => {
    const share = shareQuestion<string>();
    const { ask, answer } = byHand();
    const first = share("token", ask);
    const [second, third] = [share("token", ask), share("token", ask)]; // the first look may have begun before a revocation
    expect(ask).toHaveBeenCalledTimes(1);
    answer("valid");
    expect(await first).toBe("valid");
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
    answer("revoked");
    expect(await Promise.all([second, third])).toEqual(["revoked", "revoked"]);
    const later = share("token", ask);
    expect(ask).toHaveBeenCalledTimes(3);
    answer("valid");
    expect(await later).toBe("valid");
  });

  it("go on after one that failed, and keep keys apart", async () => {
    const share = shareQuestion<string>();
    const failing = share("a", () => Promise.reject(new Error("away")));
    const next = share("a", async () => "there");
    await expect(failing).rejects.toThrow("away");
    expect(await next).toBe("there");
    expect(await Promise.all([share("a", async () => "a"), share("b", async () => "b")])).toEqual(["a", "b"]);
  });
});

describe("answers that are kept", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are fresh, then looked up behind the asker's back, then waited for", async () => {
    const kept = keepAnswers<number>({ freshMs: 1_000, keptMs: 3_000 });
    let answer = 1;
    const ask = vi.fn(async () => answer);
    expect(await kept.get("x", ask)).toBe(1);
    answer = 2;
    vi.advanceTimersByTime(900);
    expect(await kept.get("x", ask)).toBe(1);
    expect(ask).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(await Promise.all([kept.get("x", ask), kept.get("x", ask)])).toEqual([1, 1]);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(await kept.get("x", ask)).toBe(2);
    answer = 3;
    vi.advanceTimersByTime(3_100);
    expect(await kept.get("x", ask)).toBe(3);
  });

  it("are not kept when they failed, or when they are dropped", async () => {
    const kept = keepAnswers<number>({ freshMs: 1_000, keptMs: 3_000 });
    await expect(kept.get("x", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await kept.get("x", async () => 1)).toBe(1);
    kept.drop("x");
    expect(await kept.get("x", async () => 2)).toBe(2);
  });
});
