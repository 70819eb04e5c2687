import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import type { Tx } from "@/lib/platform/db";
import { environmentOfBatch, readableBatch } from "./batch-rows";
import { write, type Context } from "./operation";

const ById = z.strictObject({ id: z.uuid() });
type Call = Context<z.output<typeof ById>, Tx>;

const controlled = {
  permission: "document.upload",
  environment: environmentOfBatch,
  effect: "database",
  input: ById,
  output: ById,
  target: (input: z.output<typeof ById>) => ({ type: "batch", id: input.id }),
} as const;

async function move({ caller, db, input }: Call, { from, to, verb }: { from: string[]; to: { state: string; endedAt?: Date | null }; verb: string }) {
  const batch = await readableBatch(db, caller.actor, input.id);
  const { count } = await db.batch.updateMany({ where: { id: batch.id, state: { in: from } }, data: to });
  if (count === 0) throw new DomainError("conflict", `The batch is ${batch.state}: it cannot be ${verb}.`);
  return input;
}

export const batchesPause = write({
  ...controlled,
  name: "batches.pause",
  summary: "Hold a batch; pages under way are read to their end",
  run: (call: Call) => move(call, { from: ["working"], to: { state: "paused" }, verb: "paused" }),
});

export const batchesResume = write({
  ...controlled,
  name: "batches.resume",
  summary: "Go on with a batch that is held",
  run: (call: Call) => move(call, { from: ["paused"], to: { state: "working" }, verb: "resumed" }),
});

export const batchesCancel = write({
  ...controlled,
  name: "batches.cancel",
  summary: "Stop a batch; pages that were read stay",
  run: async (call: Call) => {
    await move(call, { from: ["working", "paused"], to: { state: "cancelled", endedAt: call.now }, verb: "cancelled" });
    const { id } = call.input;
    await call.db.runPage.updateMany({ where: { run: { batchId: id }, state: { in: ["queued", "running"] } }, data: { state: "cancelled", reason: "Cancelled.", endedAt: call.now } });
    await call.db.run.updateMany({ where: { batchId: id, state: { in: ["queued", "running"] } }, data: { state: "cancelled", endedAt: call.now } });
    return call.input;
  },
});

export const batchesRetryFailed = write({
  ...controlled,
  name: "batches.retryFailed",
  summary: "Read the failed and cut pages of a batch again, and no others",
  run: async (call: Call) => {
    const batch = await readableBatch(call.db, call.caller.actor, call.input.id);
    const pages = await call.db.runPage.findMany({ where: { run: { batchId: batch.id }, state: { in: ["failed", "truncated"] } }, select: { id: true } });
    if (pages.length === 0) throw new DomainError("conflict", "No page of this batch has failed or was cut.");
    for (const { id } of pages) await call.db.runPage.update({ where: { id }, data: { state: "queued", reason: "", note: "", readId: randomUUID(), attempt: 0, leasedUntil: null, endedAt: null } }); // a new reading is counted on its own, and what broke the last one off is forgiven
    await call.db.run.updateMany({ where: { batchId: batch.id, pages: { some: { state: "queued" } } }, data: { state: "queued", endedAt: null } });
    if (batch.state !== "paused") await call.db.batch.update({ where: { id: batch.id }, data: { state: "working", endedAt: null, webhookState: batch.webhookUrl ? "due" : "" } });
    return call.input;
  },
});
