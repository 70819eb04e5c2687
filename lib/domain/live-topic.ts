/** What the live stream can carry. `usage` and `environment` are followed by the environment's id. */
export const TOPIC_KINDS = ["deployment", "run", "environment", "usage"] as const;
export type TopicKind = (typeof TOPIC_KINDS)[number];
export type Topic = `${TopicKind}:${string}`;

/** One event as it reaches a subscriber. `text` is what travelled sealed; absent when there was none or it is gone. */
export type LiveEvent = { id: string; topic: Topic; data: unknown; text?: string };

/** Why the server ends a stream: nobody is signed in any more, or the rights to these topics are gone. */
export type LiveClosing = { reason: "signed_out"; detail: string } | { reason: "revoked"; detail: string; topics: Topic[] };

const TOPIC = /^(deployment|run|environment|usage):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A topic's kind and id; undefined for a text that is no topic. */
export function parseTopic(text: string): { topic: Topic; kind: TopicKind; id: string } | undefined {
  const [, kind, id] = TOPIC.exec(text) ?? [];
  const known = TOPIC_KINDS.find((one) => one === kind);
  return known && id ? { topic: `${known}:${id}`, kind: known, id } : undefined;
}
