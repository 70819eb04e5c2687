import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { limitsNow } from "./gateway-limits";

const RETRY_SECONDS = 60;
const OPEN = ["working", "paused"];

/** Throws `rate_limited`, naming the limit, when so many more pages would be too many of one person or in one environment. */
export async function assertRoomForBatch(db: Db, { userId, environmentId, pages }: { userId: string; environmentId: string; pages: number }): Promise<void> {
  const { batches } = await limitsNow(db);
  const waiting = (batch: object) => db.runPage.count({ where: { state: { in: ["queued", "running"] }, run: { batch: { state: { in: OPEN }, ...batch } } } });
  const [open, ofPerson, ofEnvironment] = await Promise.all([db.batch.count({ where: { createdById: userId, state: { in: OPEN } } }), waiting({ createdById: userId }), waiting({ environmentId })]);
  if (open >= batches.batchesOfPerson) throw tooMany(`You have ${open} open batches; the limit for one person is ${batches.batchesOfPerson}.`);
  if (ofPerson + pages > batches.pagesOfPerson) throw tooMany(`${ofPerson} pages of yours are to be read already; with ${pages} more the limit of ${batches.pagesOfPerson} for one person is passed.`);
  if (ofEnvironment + pages > batches.pagesOfEnvironment) throw tooMany(`${ofEnvironment} pages of this environment are to be read already; with ${pages} more its limit of ${batches.pagesOfEnvironment} is passed.`);
}

function tooMany(sentence: string): DomainError {
  return new DomainError("rate_limited", `${sentence} Wait until some are read.`, { retryAfterSeconds: RETRY_SECONDS });
}
