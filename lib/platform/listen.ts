import "server-only";
import pg from "pg";
import { env } from "./env";
import { log } from "./log";

const CHANNEL = "live_event";
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

export type LiveSignals = {
  /** Calls `wake` when an event of one of the topics was committed, and after each (re)connection, as some may have been missed before it. */
  subscribe(topics: ReadonlySet<string>, wake: () => void): () => void;
  /** Ends the connection; for the end of the process and of tests. */
  close(): Promise<void>;
};

/**
 * One connection that LISTENs for new live events and tells who waits for them. It connects at the first subscription and again
 * whenever it is lost. It carries signals only, so a lost one costs time, never an event: readers take rows from the table by id.
 */
export function createSignals(connectionString: string): LiveSignals {
  const waiting = new Map<() => void, ReadonlySet<string>>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;

  function wakeFor(topic: string | undefined): void {
    for (const [wake, topics] of waiting) if (topic === undefined || topics.has(topic)) wake();
  }

  function lost(from: pg.Client): void {
    if (client !== from) return;
    client = undefined;
    from.removeAllListeners().on("error", () => undefined); // a dying socket may still report
    void from.end().catch(() => undefined);
    if (isClosed) return;
    timer = setTimeout(connect, retryMs).unref();
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function connect(): void {
    timer = undefined;
    const next = new pg.Client({ connectionString, keepAlive: true, application_name: "lectern-live" });
    client = next;
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ payload }) => wakeFor(payload?.split(" ")[1]));
    void listen(next).catch(() => {
      log().warn({ retryMs }, "live signals: the database does not answer, trying again");
      lost(next);
    });
  }

  async function listen(next: pg.Client): Promise<void> {
    await next.connect();
    await next.query(`LISTEN ${CHANNEL}`);
    retryMs = FIRST_RETRY_MS;
    wakeFor(undefined);
  }

  return {
    subscribe(topics, wake) {
      waiting.set(wake, topics);
      if (!client && !timer) connect();
      return () => void waiting.delete(wake);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

const shared = globalThis as typeof globalThis & { lecternSignals?: LiveSignals };

/** The signals of this process. */
export function liveSignals(): LiveSignals {
  shared.lecternSignals ??= createSignals(env().DATABASE_URL);
  return shared.lecternSignals;
}
