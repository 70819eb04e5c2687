import "server-only";
import type { Db } from "@/lib/platform/db";
import { progressOf } from "./batch-progress";
import { postSigned, secretOf } from "./webhook-post";

export const WEBHOOK_QUEUE = "batch-webhooks";
/** Where messages end that were never taken. */
export const WEBHOOK_FAILED_QUEUE = "batch-webhooks-failed";

/** The secret with which a batch's webhook is signed. */
export function webhookSecret(batchId: string): string {
  return secretOf("batch-webhook", batchId);
}

/** Sends the end of a batch to its address. Throws when it was not taken, so that the queue tries again, later each time. */
export async function deliverWebhook(db: Db, batchId: string): Promise<void> {
  const batch = await db.batch.findUnique({ where: { id: batchId } });
  if (!batch || batch.webhookState !== "queued") return;
  const content = { type: "batch.done", batch: { id: batch.id, name: batch.name, state: batch.state, endedAt: batch.endedAt?.toISOString() ?? null, pages: await progressOf(db, batch.id) } };
  await postSigned({ address: batch.webhookUrl, id: batchId, secret: webhookSecret(batchId), content });
  await db.batch.update({ where: { id: batchId }, data: { webhookState: "delivered" } });
}

/** After the last try: the batch says that nobody was told. */
export async function giveUpWebhook(db: Db, batchId: string): Promise<void> {
  await db.batch.updateMany({ where: { id: batchId, webhookState: "queued" }, data: { webhookState: "failed" } });
}
