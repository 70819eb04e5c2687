import "server-only";
import { randomUUID } from "node:crypto";
import { DomainError } from "@/lib/domain/errors";
import { log } from "./log";
import { assertOwnStream, refuseTokenInUrl } from "./origin-check";
import { problem } from "./problem";

const HEARTBEAT_MS = 2_500;
const END = { done: true, value: undefined } as const;

/** One server-sent event; `data` is sent as JSON. */
export type StreamMessage = { event?: string; id?: string; data: unknown };

/** What a stream request asks for, before anybody decided whether it may. */
export type StreamRequest = { headers: Headers; requestId: string; topics: string[]; after: bigint | null; signal: AbortSignal };

/** Answers `GET /api/events?topics=a,b&after=<id>`: checks origin and form, lets `open` decide and deliver, writes server-sent events. */
export async function streamEvents(request: Request, open: (wanted: StreamRequest) => Promise<AsyncGenerator<StreamMessage>>): Promise<Response> {
  const requestId = randomUUID();
  try {
    refuseTokenInUrl(request);
    assertOwnStream(request);
    const left = new AbortController();
    request.signal.addEventListener("abort", () => left.abort());
    const wanted = { headers: request.headers, requestId, signal: left.signal, topics: topicsOf(request), after: positionOf(request) };
    return eventStream(await open(wanted), { requestId, left });
  } catch (error) {
    return problem(error, requestId);
  }
}

function topicsOf(request: Request): string[] {
  const topics = new URL(request.url).searchParams.get("topics") ?? "";
  return [...new Set(topics.split(",").filter((topic) => topic !== ""))];
}

/** What a reconnecting browser says it has seen counts before what the page said when it first opened the stream. */
function positionOf(request: Request): bigint | null {
  const text = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after");
  if (text === null || text === "") return null;
  if (!/^\d{1,18}$/.test(text)) throw new DomainError("invalid_input", "The position after which to go on is not a number. Leave `after` away to start now.");
  return BigInt(text);
}

function eventStream(messages: AsyncGenerator<StreamMessage>, at: { requestId: string; left: AbortController }): Response {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<StreamMessage>> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 1000\n\n")),
    async pull(controller) {
      pending ??= messages.next();
      const next = await within(pending, HEARTBEAT_MS).catch((error: unknown) => {
        log().error({ requestId: at.requestId, kind: error instanceof Error ? error.name : typeof error }, "live stream failed");
        return END; // the browser comes back with its position
      });
      if (next === "silent") return controller.enqueue(encoder.encode(": still here\n\n"));
      pending = undefined;
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(encode(next.value)));
    },
    cancel() {
      at.left.abort();
      return void messages.return(undefined);
    },
  });
  const headers = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no", // asks a proxy in front not to collect the stream
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": at.requestId,
  };
  return new Response(body, { headers });
}

function encode({ event, id, data }: StreamMessage): string {
  const lines = [event === undefined ? "" : `event: ${event}\n`, id === undefined ? "" : `id: ${id}\n`, `data: ${JSON.stringify(data)}\n\n`];
  return lines.join("");
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | "silent"> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silent">((resolve) => {
    timer = setTimeout(() => resolve("silent"), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
