import type { SandboxClock } from "@/lib/embedded/cluster/clock";

export type VirtualClock = SandboxClock & {
  /** Lets time pass up to that instant: what waits runs in its order, each at its own time. Time stands still otherwise. */
  travel(to: number | string): Promise<void>;
  /** Whether something waits for exactly that instant. */
  isAwaited(at: number | string): boolean;
};

const instant = (at: number | string) => (typeof at === "string" ? Date.parse(at) : at);

type Waiting = { due: number; run: () => void };

/** A clock that a test moves by hand, so that every instant of a month is known beforehand. */
export function createVirtualClock(start: string): VirtualClock {
  let now = Date.parse(start);
  const agenda = new Set<Waiting>();
  const next = (until: number) => [...agenda].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
  /** Work that begins at one instant is done before the next one. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return {
    now: () => now,
    after(delayMs, run) {
      const one = { due: now + Math.max(0, delayMs), run };
      agenda.add(one);
      if (delayMs <= 0) setImmediate(() => agenda.delete(one) && run());
      return () => void agenda.delete(one);
    },
    isAwaited: (at) => [...agenda].some(({ due }) => due === instant(at)),
    async travel(to) {
      const until = instant(to);
      for (let one = next(until); one; one = next(until)) {
        agenda.delete(one);
        now = Math.max(now, one.due);
        one.run();
        await settle();
      }
      now = Math.max(now, until);
    },
  };
}
