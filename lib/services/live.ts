import "server-only";
import type { Topic } from "@/lib/domain/live-topic";
import type { Db, Tx } from "@/lib/platform/db";

const LIVE_LOCK = 7402;
const KEEP_MS = 60 * 60 * 1000;
const PRUNED_KEY = "live.prunedTo";

/**
 * Adds one event to the live stream; it becomes visible, and wakes every replica, when the transaction commits.
 * The lock is taken before the id is drawn and held until commit, so ids become visible in their order and a reader that
 * asks for "after id n" misses nothing. Call it last in a transaction: what comes after it keeps other publishers waiting.
 * `data` is free of document text; that goes sealed into `sealed`. Events may arrive after a newer read:
 * send states or positions, not differences.
 */
export async function publish(tx: Tx, topic: Topic, event: { data: unknown; sealed?: Uint8Array }): Promise<void> {
  const data = JSON.stringify(event.data);
  const sealed = event.sealed ?? null;
  await tx.$executeRaw`
    WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(${LIVE_LOCK}))
    INSERT INTO live_event (topic, data, sealed) SELECT ${topic}, ${data}::jsonb, ${sealed}::bytea FROM turn`;
}

/** Deletes events older than an hour and remembers up to which id, so that a reader who comes later is told to start over. Returns how many went. */
export async function pruneLive(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEEP_MS);
  return db.$transaction(async (tx) => {
    const last = await tx.liveEvent.findFirst({ where: { at: { lt: before } }, orderBy: { id: "desc" }, select: { id: true } });
    if (!last) return 0;
    const { count } = await tx.liveEvent.deleteMany({ where: { id: { lte: last.id } } });
    const value = last.id.toString();
    await tx.setting.upsert({ where: { key: PRUNED_KEY }, create: { key: PRUNED_KEY, value }, update: { value } });
    return count;
  });
}

/** The id of the newest event, and the id up to which events have been pruned; 0 when there is none. */
export async function livePositions(db: Db): Promise<{ head: bigint; prunedTo: bigint }> {
  const [newest, pruned] = await Promise.all([
    db.liveEvent.findFirst({ orderBy: { id: "desc" }, select: { id: true } }),
    db.setting.findUnique({ where: { key: PRUNED_KEY } }),
  ]);
  const prunedTo = typeof pruned?.value === "string" ? BigInt(pruned.value) : 0n;
  const head = newest?.id ?? prunedTo;
  return { head, prunedTo };
}
