import "server-only";
import { randomUUID } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { EngineError, engineErrorOf, retryAfterSeconds } from "@/lib/domain/engine-failure";
import { DomainError } from "@/lib/domain/errors";
import { parseChatRequest, toEngineRequest, type ChatRequest } from "@/lib/domain/gateway-chat";
import { completionFrom } from "@/lib/domain/gateway-completion";
import { openAiError } from "@/lib/platform/gateway-errors";
import type { Lifted } from "@/lib/platform/gateway-lift";
import { createStreamTap } from "@/lib/platform/gateway-stream";
import { PRIVATE_HEADERS } from "@/lib/platform/problem";
import type { SendResponse } from "@/lib/platform/transport";
import { admit, type Gateway } from "./gateway";
import { countReading, dropReading, type TappedReading } from "./gateway-count";
import { atSomeEngine, readyOffers, type Place } from "./gateway-route";
import { streamReading } from "./gateway-stream";

const MAX_BODY_BYTES = 32 * 1024 * 1024; // a page of 5 megapixels as PNG, in base64, with room
const ANSWER_TIMEOUT_MS = 600_000;
const MAX_ERROR_BYTES = 64 * 1024;

type Asked = { gateway: Gateway; caller: Caller; chat: ChatRequest; lower: Lifted["lower"]; signal: AbortSignal };

/** Answers `POST /v1/chat/completions`. */
export async function answerChat(gateway: Gateway, request: Request): Promise<Response> {
  const requestId = randomUUID();
  const headers = { ...PRIVATE_HEADERS, "X-Request-Id": requestId };
  const left = new AbortController();
  request.signal.addEventListener("abort", () => left.abort(), { once: true });
  let leave = () => {};
  try {
    const { caller, body, leave: leaving } = await admit(gateway, request, { requestId, maxBytes: MAX_BODY_BYTES });
    leave = leaving;
    const asked = { gateway, caller, chat: parseChatRequest(body.value), lower: body.lower, signal: left.signal };
    if (asked.chat.stream) return streamReading(await beginStream(asked), { left, leave, requestId });
    const completion = await readWhole(asked);
    leave();
    return Response.json(completion, { headers });
  } catch (error) {
    leave();
    return left.signal.aborted ? new Response(null, { status: 499 }) : openAiError(error, requestId); // nobody is there to read it
  }
}

/** Asks engines until one has begun to answer; nothing of the answer has been passed on by then. */
function beginStream(asked: Asked) {
  return atOneEngine(asked, async (reading) => {
    const response = await send(asked, reading);
    const bytes = unbroken(response.body);
    return { gateway: asked.gateway, reading, response, bytes, first: await bytes.next() };
  });
}

/** The whole answer, for a client that does not stream. An engine that breaks off is replaced by another of the same name. */
function readWhole(asked: Asked): Promise<Record<string, unknown>> {
  return atOneEngine(asked, async (reading) => {
    const response = await send(asked, reading);
    const pieces: Buffer[] = [];
    for await (const bytes of unbroken(response.body)) pieces.push(reading.tap.push(bytes) ?? Buffer.alloc(0));
    reading.tap.end();
    const completion = completionFrom(Buffer.concat(pieces).toString("utf8"));
    reading.place.release();
    await countReading(asked.gateway, reading);
    return completion;
  });
}

async function atOneEngine<T>({ gateway, caller, chat, signal }: Asked, work: (reading: TappedReading) => Promise<T>): Promise<T> {
  const offers = await readyOffers(gateway, { caller, signal }, chat.model);
  await (await gateway.meter()).pages({ token: caller.tokenId, user: caller.actor.userId ?? "", environment: offers[0]?.environment.id ?? "" }, 1);
  return atSomeEngine(gateway, offers, {
    signal,
    work: async (place) => {
      const reading = readingAt({ caller, chat }, place);
      return work(reading).catch((error: unknown) => {
        if (!signal.aborted) dropReading(reading); // the engine refused the page or broke off
        throw error;
      });
    },
  });
}

function readingAt({ caller, chat }: Pick<Asked, "caller" | "chat">, place: Place): TappedReading {
  const keepsUsage = !chat.stream || chat.stream_options?.include_usage === true;
  return { id: randomUUID(), place, userId: caller.actor.userId, tokenId: caller.tokenId, tap: createStreamTap({ keepsUsage }), startedAt: performance.now() };
}

/** Sends the page. When the client leaves while the engine has it, the engine's work is counted. */
async function send({ gateway, chat, lower, signal }: Asked, reading: TappedReading): Promise<SendResponse> {
  const { engine } = reading.place;
  signal.addEventListener("abort", () => void countReading(gateway, reading).catch(() => undefined), { once: true }); // it logs its failure
  const response = await engine.send({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: lower(JSON.stringify(toEngineRequest(chat, engine))),
    signal,
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
  if (response.status >= 200 && response.status < 300) return response;
  throw engineErrorOf(response.status, await textOf(response), retryAfterSeconds(response.headers["retry-after"], Date.now()));
}

/** The bytes, with a lost connection as the engine's failure: its address is nobody's business here. */
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof DomainError ? new EngineError("broken_answer", { cause: error }) : error;
  }
}

async function textOf(response: SendResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  response.cancel();
  return Buffer.concat(pieces).toString("utf8");
}
