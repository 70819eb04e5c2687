import { expect, test } from "vitest";
import { createPool, type Member } from "./pool";

type Numbered = Member & { id: number; die(): void };

/** A pool of members that count themselves, and the numbers of those that were stopped. */
function numberedPool(options: { size?: number; maxWaiting?: number; timeLimitMs?: number; failedStarts?: number } = {}) {
  const stopped: number[] = [];
  let count = 0;
  const pool = createPool<Numbered>({
    size: options.size ?? 1,
    maxWaiting: options.maxWaiting ?? 1,
    timeLimitMs: options.timeLimitMs ?? 60_000,
    async start() {
      const end = new AbortController();
      const id = (count += 1);
      if (id <= (options.failedStarts ?? 0)) throw new Error("no memory");
      return { id, broken: end.signal, die: () => end.abort(), stop: async () => void stopped.push(id) };
    },
  });
  return { pool, stopped };
}

const never = () => new Promise<never>(() => undefined);
const open = new AbortController().signal;

test("members start when needed and are used again", async () => {
  const { pool, stopped } = numberedPool();
  expect(await pool.run(async (member) => member.id, open)).toBe(1);
  expect(await pool.run(async (member) => member.id, open)).toBe(1);
  expect(stopped).toEqual([]);
});

test("jobs wait in turn; a full queue refuses at once", async () => {
  const { pool } = numberedPool();
  const order: string[] = [];
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const first = pool.run(() => released.then(() => order.push("first")), open);
  const second = pool.run(async () => order.push("second"), open);
  expect(pool.load()).toEqual({ running: 1, waiting: 1 });
  expect(() => pool.run(async () => 0, open)).toThrowError(expect.objectContaining({ status: 503 }));
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "second"]);
  expect(pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("a job over the time limit fails, and its member is replaced", async () => {
  const { pool, stopped } = numberedPool({ timeLimitMs: 10 });
  await expect(pool.run(never, open)).rejects.toMatchObject({ status: 504, message: expect.stringContaining("longer than") });
  expect(stopped).toEqual([1]);
  expect(await pool.run(async (member) => member.id, open)).toBe(2);
});

test("a job whose client leaves is given up, running or waiting", async () => {
  const { pool, stopped } = numberedPool();
  const running = new AbortController();
  const waiting = new AbortController();
  const first = pool.run(never, running.signal);
  const second = pool.run(never, waiting.signal);
  waiting.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  expect(pool.load()).toEqual({ running: 1, waiting: 0 });
  running.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  expect(stopped).toEqual([1]);
  expect(await pool.run(async (member) => member.id, open)).toBe(2);
});

test("a member that dies fails its job and is replaced; one that dies idle is not used again", async () => {
  const { pool } = numberedPool();
  await expect(pool.run((member) => (member.die(), never()), open)).rejects.toThrow("ended unexpectedly");
  const idle = await pool.run(async (member) => member, open);
  expect(idle.id).toBe(2);
  idle.die();
  expect(await pool.run(async (member) => member.id, open)).toBe(3);
});

test("a job that fails does not keep its member", async () => {
  const { pool, stopped } = numberedPool();
  await expect(pool.run(() => Promise.reject(new Error("bad")), open)).rejects.toThrow("bad");
  expect(stopped).toEqual([1]);
});

test("a closed pool stops its members and refuses", async () => {
  const { pool, stopped } = numberedPool();
  await pool.run(async () => 0, open);
  await pool.close();
  expect(stopped).toEqual([1]);
  expect(() => pool.run(async () => 0, open)).toThrowError(expect.objectContaining({ status: 503 }));
});

test("a pool whose member cannot start is unhealthy until one starts", async () => {
  const { pool } = numberedPool({ failedStarts: 1 });
  expect(pool.isHealthy()).toBe(true);
  await expect(pool.run(async () => 0, open)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("could not be started"),
  });
  expect(pool.isHealthy()).toBe(false);
  expect(await pool.run(async (member) => member.id, open)).toBe(2);
  expect(pool.isHealthy()).toBe(true);
});
