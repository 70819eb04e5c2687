import { afterAll, expect, it, vi } from "vitest";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { createSignals, type LiveSignals } from "./listen";

const database = useDatabase();
let signals: LiveSignals | undefined;
afterAll(() => signals?.close());

const insert = (topic: string) => database.db.liveEvent.create({ data: { topic, data: {} } });
const listeners = () => database.db.$queryRaw<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE application_name = 'lectern-live' AND datname = current_database()`;

it("wakes those who follow the topic, and everybody after a lost connection is back", async () => {
  process.env.DATABASE_URL = database.url;
  process.env.LECTERN_LOG_LEVEL = "silent";
  signals = createSignals(database.url);
  const [mine, other] = [vi.fn(), vi.fn()];
  const leave = signals.subscribe(new Set(["run:a"]), mine);
  signals.subscribe(new Set(["run:b"]), other);
  await eventually(() => [mine.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  await insert("run:a");
  await eventually(() => mine.mock.calls.length).toBe(2);
  expect(other).toHaveBeenCalledTimes(1);

  const [before] = await listeners();
  await database.db.$queryRaw`SELECT pg_terminate_backend(${before?.pid}::int)`;
  await eventually(() => mine.mock.calls.length).toBe(3);
  expect(other).toHaveBeenCalledTimes(2);
  await insert("run:a");
  await eventually(() => mine.mock.calls.length).toBe(4);

  leave();
  await insert("run:a");
  await insert("run:b");
  await eventually(() => other.mock.calls.length).toBe(3);
  expect(mine).toHaveBeenCalledTimes(4);
});
