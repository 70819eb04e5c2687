import "server-only";
import type { Db } from "@/lib/platform/db";
import { LEASE_MS } from "./page-queue";

const CHECK_MS = 250;
const RENEW_MS = LEASE_MS / 4;

type Held = { id: string; attempt: number };
type Watch = Held & { lose(): void };
type Leases = { watch(page: Held, lose: () => void): () => void };

const ofDb = new WeakMap<Db, Leases>();

/** The leases of this process on the pages of one database: one question four times a second for all of them, while there are any. */
export function leases(db: Db): Leases {
  const known = ofDb.get(db);
  if (known) return known;
  const made = createLeases(db);
  ofDb.set(db, made);
  return made;
}

function createLeases(db: Db): Leases {
  const watches = new Set<Watch>();
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = 0;

  async function check(): Promise<void> {
    const now = Date.now();
    const asked = [...watches]; // one that comes while the database answers is not among them, and not lost
    const mine = await db.runPage.findMany({ where: { id: { in: asked.map(({ id }) => id) }, state: "running" }, select: { id: true, attempt: true } });
    const kept = new Map(mine.map(({ id, attempt }) => [id, attempt]));
    for (const watch of asked) if (kept.get(watch.id) !== watch.attempt) watch.lose();
    if (now - renewedAt < RENEW_MS) return;
    renewedAt = now;
    await Promise.all([...watches].map(({ id, attempt }) => db.runPage.updateMany({ where: { id, attempt, state: "running" }, data: { leasedUntil: new Date(now + LEASE_MS) } })));
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      check()
        .catch(() => undefined) // the database is away: the leases run out by themselves
        .finally(() => {
          timer = undefined;
          if (watches.size > 0) schedule();
        });
    }, CHECK_MS);
  }

  return {
    watch(page, lose) {
      const watch = { ...page, lose };
      watches.add(watch);
      schedule();
      return () => void watches.delete(watch);
    },
  };
}
