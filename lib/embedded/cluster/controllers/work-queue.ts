import "server-only";
import { StatusError } from "../api/status";
import type { SandboxClock } from "../clock";

const RETRY_MS = 5000;

/** Keys to look at again, each once however often it is added; work runs after the current change is complete. */
export class WorkQueue {
  private readonly keys = new Set<string>();
  private readonly timers = new Map<string, () => void>();
  private scheduled: NodeJS.Immediate | undefined;
  private stopped = false;

  constructor(
    private readonly clock: SandboxClock,
    private readonly work: (key: string) => void,
  ) {}

  add(key: string): void {
    if (this.stopped) return;
    this.keys.add(key);
    this.scheduled ??= setImmediate(() => this.run());
  }

  /** Looks again later; the newest delay counts. */
  addAfter(key: string, delayMs: number): void {
    this.timers.get(key)?.();
    this.timers.set(
      key,
      this.clock.after(delayMs, () => {
        this.timers.delete(key);
        this.add(key);
      }),
    );
  }

  stop(): void {
    this.stopped = true;
    clearImmediate(this.scheduled);
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  private run(): void {
    this.scheduled = undefined;
    const batch = [...this.keys];
    this.keys.clear();
    for (const key of batch) this.attempt(key);
  }

  /** A refused write (a namespace that is ending, a name that is taken) is tried again; it must not end the process. */
  private attempt(key: string): void {
    try {
      this.work(key);
    } catch (error) {
      if (!(error instanceof StatusError)) process.emitWarning(error instanceof Error ? error : String(error));
      this.addAfter(key, RETRY_MS);
    }
  }
}
