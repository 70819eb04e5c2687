import "server-only";
import { createHmac } from "node:crypto";
import { signedContent } from "@/lib/domain/batch-webhook";
import { DomainError } from "@/lib/domain/errors";
import { allowsLoopback, env } from "@/lib/platform/env";
import { createSend } from "@/lib/platform/send";

const TIMEOUT_MS = 10_000;

/** What a webhook's secret belongs to. */
export type WebhookPurpose = "batch-webhook" | "environment-webhook";

/** The secret with which the webhooks of one thing are signed, made from the installation's key: shown to who sets it up, stored nowhere. */
export function secretOf(purpose: WebhookPurpose, id: string): string {
  const key = Buffer.from(env().LECTERN_MASTER_KEY ?? "", "base64");
  return `whsec_${createHmac("sha256", key).update(`${purpose}:${id}`).digest("base64")}`;
}

/** Where a webhook may go: https to a public address. Throws `invalid_input` for what can never be right. */
export function webhookTarget(address: string) {
  const url = new URL(address);
  return { send: createSend({ origin: url.origin, allowLoopback: allowsLoopback() }), path: `${url.pathname}${url.search}` };
}

/** `id` is the message's own: whoever gets it twice knows by it. */
export type SignedPost = { address: string; id: string; secret: string; content: unknown };

/** Sends JSON, signed as https://www.standardwebhooks.com says. Throws when it was not taken: `upstream_failed`, or what the network said. */
export async function postSigned({ address, id, secret, content }: SignedPost): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify(content);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(signedContent({ id, timestamp, body })).digest("base64");
  const { send, path } = webhookTarget(address);
  const headers = { "content-type": "application/json", "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
  const response = await send({ method: "POST", path, headers, body, timeoutMs: TIMEOUT_MS });
  response.cancel();
  if (response.status >= 300) throw new DomainError("upstream_failed", `The webhook's address answered ${response.status}.`);
}
