import { createParser } from "eventsource-parser";
import type { LiveClosing, LiveEvent, Topic } from "@/lib/domain/live-topic";

/** What the server says on the stream, as lib/services/live-follow.ts writes it. */
export type StreamMessage =
  | { kind: "ready"; id: string; isGap: boolean }
  | { kind: "event"; id: string; event: LiveEvent }
  | { kind: "refused"; topic: Topic }
  | { kind: "closed"; closing: LiveClosing };

/** How one stream ended: refused with a status, or broken off (also when `closed` came before). */
export type StreamEnd = { status: number } | "broken";

type StreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal; onHeard(): void; onMessage(message: StreamMessage): void };

/**
 * Reads one stream to its end; never rejects. `onHeard` is called for every piece that arrives, heartbeats too.
 * It uses fetch and not EventSource, which hides heartbeats and the status of a refusal from the page.
 */
export async function readStream({ url, headers, signal, onHeard, onMessage }: StreamRequest): Promise<StreamEnd> {
  try {
    const response = await fetch(url, { headers: { Accept: "text/event-stream", ...headers }, signal, cache: "no-store" });
    if (!response.ok || !response.body) return { status: response.status };
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        const message = toMessage(event, id ?? "", JSON.parse(data));
        if (message && !signal.aborted) onMessage(message);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done && !signal.aborted; piece = await reader.read()) {
      onHeard();
      parser.feed(piece.value);
    }
    return "broken";
  } catch {
    return "broken";
  }
}

function toMessage(name: string | undefined, id: string, data: unknown): StreamMessage | undefined { // `as`: our own server's side of the stream is typed with the same types
  if (name === "ready") return { kind: "ready", id, ...(data as { isGap: boolean }) };
  if (name === "refused") return { kind: "refused", topic: (data as { topic: Topic }).topic };
  if (name === "closed") return { kind: "closed", closing: data as LiveClosing };
  return name === undefined ? { kind: "event", id, event: data as LiveEvent } : undefined;
}
