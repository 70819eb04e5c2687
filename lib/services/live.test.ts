import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Topic } from "@/lib/domain/live-topic";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { livePositions, pruneLive, publish } from "./live";

const database = useDatabase();
const topic: Topic = `run:${randomUUID()}`;

describe("publish", () => {
  it("makes ids visible in their order, also when a transaction that drew early commits late", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let drawn = (): void => undefined;
    const isDrawn = new Promise<void>((resolve) => (drawn = resolve));
    const slow = database.db.$transaction(async (tx) => {
      await publish(tx, topic, { data: { step: "slow" } });
      drawn();
      await held;
    });
    await isDrawn;
    const quick = publish(database.db, topic, { data: { step: "quick" } });
    await eventually(waiters).toBe(1);
    expect(await steps()).toEqual([]);
    release();
    await Promise.all([slow, quick]);
    expect(await steps()).toEqual(["slow", "quick"]);
  });

  it("leaves nothing when the transaction fails", async () => {
    const own: Topic = `run:${randomUUID()}`;
    const failing = database.db.$transaction(async (tx) => {
      await publish(tx, own, { data: {} });
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    expect(await database.db.liveEvent.count({ where: { topic: own } })).toBe(0);
  });

  it("keeps sealed bytes apart from the data", async () => {
    const own: Topic = `run:${randomUUID()}`;
    await publish(database.db, own, { data: { page: 1 }, sealed: Buffer.from([1, 2, 3]) });
    const row = await database.db.liveEvent.findFirstOrThrow({ where: { topic: own } });
    expect(row.data).toEqual({ page: 1 });
    expect([...(row.sealed ?? [])]).toEqual([1, 2, 3]);
  });
});

describe("pruneLive", () => {
  it("drops what is older than an hour and remembers how far", async () => {
    const id = await createEnvironment(database.db, "pruned");
    const own: Topic = `environment:${id}`;
    await publish(database.db, own, { data: { age: "old" } });
    const { head } = await livePositions(database.db);
    const now = new Date();
    expect(await pruneLive(database.db, now)).toBe(0);
    const removed = await pruneLive(database.db, new Date(now.getTime() + 61 * 60 * 1000));
    expect(removed).toBeGreaterThan(0);
    expect(await livePositions(database.db)).toEqual({ head, prunedTo: head });
  });
});

async function steps(): Promise<unknown[]> {
  const rows = await database.db.liveEvent.findMany({ where: { topic }, orderBy: { id: "asc" } });
  return rows.map((row) => (row.data as { step: string }).step);
}

async function waiters(): Promise<number> {
  const rows = await database.db.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return Number(rows[0]?.count ?? 0n);
}
