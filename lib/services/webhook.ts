import "server-only";
import { createHmac } from "node:crypto";
import { signedContent } from "@/lib/domain/batch-webhook";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { createSend } from "@/lib/platform/send";
import { progressOf } from "./batch-progress";

export const WEBHOOK_QUEUE = "batch-webhooks";
const TIMEOUT_MS = 10_000;

/** The secret with which a batch's webhook is signed, made from the installation's key: shown to who starts the batch, stored nowhere. */
export function webhookSecret(batchId: string): string {
  const key = Buffer.from(env().LECTERN_MASTER_KEY ?? "", "base64");
  return `whsec_${createHmac("sha256", key).update(`batch-webhook:${batchId}`).digest("base64")}`;
}

/** Where a webhook may go: https to a public address. Throws `invalid_input` for what can never be right. */
export function webhookTarget(address: string) {
  const url = new URL(address);
  const allowLoopback = env().LECTERN_ALLOW_LOOPBACK === "1";
  return { send: createSend({ origin: url.origin, allowLoopback }), path: `${url.pathname}${url.search}` };
}

/** Sends the end of a batch to its address. Throws when it was not taken, so that the queue tries again, later each time. */
export async function deliverWebhook(db: Db, batchId: string): Promise<void> {
  const batch = await db.batch.findUnique({ where: { id: batchId } });
  if (!batch || batch.webhookState !== "queued") return;
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ type: "batch.done", batch: { id: batch.id, name: batch.name, state: batch.state, endedAt: batch.endedAt?.toISOString() ?? null, pages: await progressOf(db, batch.id) } });
  const key = Buffer.from(webhookSecret(batchId).slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(signedContent({ id: batchId, timestamp, body })).digest("base64");
  const { send, path } = webhookTarget(batch.webhookUrl);
  const headers = { "content-type": "application/json", "webhook-id": batchId, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
  const response = await send({ method: "POST", path, headers, body, timeoutMs: TIMEOUT_MS });
  response.cancel();
  if (response.status >= 300) throw new DomainError("upstream_failed", `The webhook's address answered ${response.status}.`);
  await db.batch.update({ where: { id: batchId }, data: { webhookState: "delivered" } });
}
