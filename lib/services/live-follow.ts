import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import type { LiveClosing, LiveEvent, Topic } from "@/lib/domain/live-topic";
import type { Db } from "@/lib/platform/db";
import type { LiveSignals } from "@/lib/platform/listen";
import type { StreamMessage, StreamRequest } from "@/lib/platform/stream";
import { identify } from "./identify";
import { livePositions } from "./live";
import { authoriseTopic, presentActor } from "./live-access";

const MAX_TOPICS = 200;
const BATCH = 200;
/** Rights are looked up again this often, so that a stream ends within 5 s of their loss. */
const RECHECK_MS = 2_500;

type Row = { id: bigint; topic: string; data: unknown; sealed: Uint8Array | null };
/** Opens the sealed text of an event. Throws DomainError when it cannot be had any more. */
export type OpenSealed = (sealed: Uint8Array, event: { topic: Topic; data: unknown }) => string | Promise<string>;
export type LiveSources = { db: Db; signals: LiveSignals; open: OpenSealed };
type Follower = { sources: LiveSources; caller: Caller; topics: Topic[]; signal: AbortSignal };

/**
 * Decides who asks and for what, then delivers. Throws DomainError when nobody is signed in, when a topic is malformed, or when none of the topics
 * may be followed; a topic refused among others is told in an event `refused`, and the rest is delivered.
 */
export async function openLive(sources: LiveSources, wanted: StreamRequest): Promise<AsyncGenerator<StreamMessage>> {
  const caller = await identify(sources.db, { headers: wanted.headers, origin: wanted.headers.has("authorization") ? "api" : "ui", requestId: wanted.requestId });
  if (caller.actor.kind === "anonymous") throw new DomainError("unauthenticated", "Sign in first.");
  if (wanted.topics.length === 0 || wanted.topics.length > MAX_TOPICS) throw new DomainError("invalid_input", `Name between 1 and ${MAX_TOPICS} topics, separated by commas.`);
  const { allowed, refused } = await sortTopics(sources.db, caller, wanted.topics);
  if (allowed.length === 0 && refused[0]) throw refused[0].error;
  return follow({ sources, caller, topics: allowed, signal: wanted.signal }, wanted.after, refused);
}

type Refusal = { topic: string; error: DomainError };

async function sortTopics(db: Db, caller: Caller, topics: string[]): Promise<{ allowed: Topic[]; refused: Refusal[] }> {
  const allowed: Topic[] = [];
  const refused: Refusal[] = [];
  for (const topic of topics) {
    try {
      allowed.push(await authoriseTopic(db, caller, { topic, isFirst: true }));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === "invalid_input") throw error;
      refused.push({ topic, error });
    }
  }
  return { allowed, refused };
}

async function* follow(follower: Follower, after: bigint | null, refused: Refusal[]): AsyncGenerator<StreamMessage> {
  const { sources, topics, signal } = follower;
  const latch = createLatch();
  const unsubscribe = sources.signals.subscribe(new Set(topics), latch.wake);
  signal.addEventListener("abort", latch.wake);
  const rights = watchRights(follower);
  try {
    for (const { topic, error } of refused) yield { event: "refused", data: { topic, code: error.code, detail: error.message } };
    const { start, message } = await begin(sources.db, after);
    yield message;
    for (let cursor = start; !signal.aborted; ) {
      const rows = await readAfter(sources.db, topics, cursor);
      if (rows.length === 0) await latch.wait(rights.dueInMs());
      const closing = yield* deliver(rows, sources.open, rights);
      if (closing) return yield { event: "closed", data: closing };
      cursor = rows.at(-1)?.id ?? cursor;
    }
  } finally {
    signal.removeEventListener("abort", latch.wake);
    unsubscribe();
  }
}

/** Sends the rows as long as the rights last; returns why they do not. */
async function* deliver(rows: Row[], open: OpenSealed, rights: Rights): AsyncGenerator<StreamMessage, LiveClosing | null> {
  for (const row of rows) {
    const closing = await rights.lost();
    if (closing) return closing;
    yield { id: row.id.toString(), data: await toEvent(row, open) };
  }
  return rights.lost();
}

/** Where to start. `isGap` says that events between `after` and here are gone, so that the page must read everything again. */
async function begin(db: Db, after: bigint | null): Promise<{ start: bigint; message: StreamMessage }> {
  const { head, prunedTo } = await livePositions(db);
  const isGap = after !== null && (after < prunedTo || after > head);
  const start = after === null || isGap ? head : after;
  return { start, message: { event: "ready", id: start.toString(), data: { isGap } } };
}

async function readAfter(db: Db, topics: Topic[], cursor: bigint): Promise<Row[]> {
  return db.liveEvent.findMany({ where: { topic: { in: topics }, id: { gt: cursor } }, orderBy: { id: "asc" }, take: BATCH });
}

async function toEvent(row: Row, open: OpenSealed): Promise<LiveEvent> {
  const topic = row.topic as Topic; // selected by topics that were parsed
  const event = { id: row.id.toString(), topic, data: row.data };
  if (!row.sealed) return event;
  try {
    return { ...event, text: await open(row.sealed, event) };
  } catch (error) {
    if (error instanceof DomainError) return event; // the document was purged meanwhile
    throw error;
  }
}

type Rights = { lost(): Promise<LiveClosing | null>; dueInMs(): number };

/** Tells, at most every RECHECK_MS, whether the stream must end. Rights follow from the actor and the row, so an unchanged actor keeps them. */
function watchRights({ sources, caller, topics }: Follower): Rights {
  let known = JSON.stringify(caller.actor);
  let checkedAt = Date.now();
  const dueInMs = () => Math.max(0, checkedAt + RECHECK_MS - Date.now());
  return {
    dueInMs,
    async lost() {
      if (dueInMs() > 0) return null;
      checkedAt = Date.now();
      const actor = await presentActor(sources.db, caller, new Date());
      if (!actor) return { reason: "signed_out", detail: "The session or token has ended. Sign in again." };
      if (JSON.stringify(actor) === known) return null;
      known = JSON.stringify(actor);
      const gone = await lostTopics(sources.db, { ...caller, actor }, topics);
      return gone.length > 0 ? { reason: "revoked", detail: "The right to see this has been taken away.", topics: gone } : null;
    },
  };
}

async function lostTopics(db: Db, caller: Caller, topics: Topic[]): Promise<Topic[]> {
  const gone: Topic[] = [];
  for (const topic of topics) {
    await authoriseTopic(db, caller, { topic, isFirst: false }).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      gone.push(topic);
    });
  }
  return gone;
}

/** Remembers a wake-up that comes while nobody waits. */
function createLatch(): { wake: () => void; wait(ms: number): Promise<void> } {
  let isAwake = false;
  let release: (() => void) | undefined;
  return {
    wake() {
      isAwake = true;
      release?.();
    },
    async wait(ms) {
      if (!isAwake) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          release = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
      }
      isAwake = false;
      release = undefined;
    },
  };
}
