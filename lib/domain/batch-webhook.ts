/** What a webhook says and how it is signed: https://www.standardwebhooks.com (HMAC-SHA256 over "id.timestamp.body"). */
export type WebhookMessage = { id: string; timestamp: number; body: string };

export function signedContent({ id, timestamp, body }: WebhookMessage): string {
  return `${id}.${timestamp}.${body}`;
}
