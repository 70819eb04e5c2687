import "server-only";
import { z } from "zod";
import { BATCH_OUTPUTS, BatchOutput, BatchState, secondsLeft, SkippedFile } from "@/lib/domain/batch";
import { notFound } from "@/lib/domain/errors";
import { can, type Actor } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { progressOf, recentOf } from "./batch-progress";

export const BatchRow = z.strictObject({
  id: z.uuid(),
  environmentId: z.uuid(),
  name: z.string(),
  deploymentId: z.uuid().nullable(),
  engine: z.string(),
  mode: z.enum(["grounding", "plain"]),
  preset: z.enum(["fast", "standard", "best"]),
  state: BatchState,
  documents: z.number().int(),
  pages: z.strictObject({ total: z.number().int(), done: z.number().int(), truncated: z.number().int(), failed: z.number().int(), cancelled: z.number().int(), running: z.number().int() }),
  /** At the pace of late; null while too few pages have ended, and when nothing moves. */
  secondsLeft: z.number().nullable(),
  outputs: z.array(BatchOutput),
  /** Files that were given and could not be taken, each with its reason. */
  skipped: z.array(SkippedFile),
  webhookState: z.enum(["", "due", "queued", "delivered", "failed"]),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

type Stored = NonNullable<Awaited<ReturnType<Db["batch"]["findFirst"]>>>;

export async function toBatchRow(db: Db, row: Stored): Promise<BatchRow> {
  const pages = await progressOf(db, row.id);
  const isMoving = row.state === "working";
  return {
    id: row.id,
    environmentId: row.environmentId,
    name: row.name,
    deploymentId: row.deploymentId,
    engine: await engineName(db, row.deploymentId),
    mode: row.mode === "plain" ? "plain" : "grounding",
    preset: row.preset === "fast" || row.preset === "best" ? row.preset : "standard",
    state: BatchState.parse(row.state),
    documents: await db.run.count({ where: { batchId: row.id } }),
    pages,
    secondsLeft: isMoving ? secondsLeft(pages, await recentOf(db, row.id)) : null,
    outputs: BATCH_OUTPUTS.filter((output) => row.outputs.includes(output)),
    skipped: z.array(SkippedFile).parse(row.skipped),
    webhookState: BatchRow.shape.webhookState.parse(row.webhookState),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

async function engineName(db: Db, deploymentId: string | null): Promise<string> {
  if (deploymentId === null) return "Embedded CPU engine";
  return (await db.deployment.findUnique({ where: { id: deploymentId }, select: { name: true } }))?.name ?? "a deleted deployment";
}

export async function environmentOfBatch(input: { id: string }, db: Db): Promise<string | null> {
  const row = await db.batch.findUnique({ where: { id: input.id }, select: { environmentId: true } });
  return row?.environmentId ?? null;
}

/** The batch if it is the actor's own or the actor manages documents there; else `not_found`. */
export async function readableBatch(db: Db | Tx, actor: Actor, id: string): Promise<Stored> {
  const row = await db.batch.findUnique({ where: { id } });
  if (!row || (row.createdById !== actor.userId && !can(actor, "document.manage", row.environmentId))) throw notFound("batch");
  return row;
}
