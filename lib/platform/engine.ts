import "server-only";
import { createParser } from "eventsource-parser";
import { EngineError, engineErrorOf, retryAfterSeconds } from "@/lib/domain/engine-failure";
import { AnswerChunk, buildPageRequest, finishReasonOf, ModelList, type FinishReason, type PageRequest } from "@/lib/domain/engine-request";
import type { Send, SendResponse } from "./transport";

export type ReadPage = Omit<PageRequest, "imageBase64"> & {
  imagePng: Uint8Array;
  signal?: AbortSignal;
  /** Gets each piece of text as it comes. Answering "stop" ends the request at the engine and keeps what was read. */
  onDelta?: (delta: string) => "stop" | void;
  /** Milliseconds until the engine must have begun to answer; it may queue pages for minutes. */
  timeoutMs?: number;
};

/** A page as the engine read it. Token counts are null when the engine did not report them; `meanConfidence` is 0–100. */
export type PageAnswer = {
  text: string;
  finishReason: FinishReason;
  promptTokens: number | null;
  completionTokens: number | null;
  modelReported: string | null;
  meanConfidence: number | null;
};

const startTimeoutMs = 600_000; // the official client's total
const controlTimeoutMs = 10_000;
const maxAnswerBytes = 32 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/**
 * Asks an OpenAI-compatible engine to read one page picture, streaming. Resolves when the model stopped, for whatever reason:
 * look at `finishReason`. Throws EngineError, DomainError `unavailable` when nothing answers, or the signal's reason.
 */
export async function readPage(
  send: Send,
  { imagePng, signal, onDelta, timeoutMs = startTimeoutMs, ...page }: ReadPage,
): Promise<PageAnswer> {
  const image = Buffer.from(imagePng.buffer, imagePng.byteOffset, imagePng.byteLength);
  const response = await send({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify(buildPageRequest({ ...page, imageBase64: image.toString("base64") })),
    signal,
    timeoutMs,
  });
  await assertOk(response);
  const answer = collectAnswer(onDelta);
  try {
    await pump(response, answer);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof EngineError ? error : new EngineError("broken_answer", { cause: error });
  } finally {
    response.cancel();
  }
  return answer.result();
}

/** The models that the engine serves: name, the model's root path where reported, and its context length in tokens. */
export async function listModels(
  send: Send,
  signal?: AbortSignal,
): Promise<{ id: string; root: string | null; maxTokens: number | null }[]> {
  const response = await send({ method: "GET", path: "/v1/models", signal, timeoutMs: controlTimeoutMs });
  await assertOk(response);
  const parsed = ModelList.safeParse(parseJson(await readText(response, maxAnswerBytes)));
  if (!parsed.success) throw new EngineError("broken_answer");
  return parsed.data.data.map(({ id, root, max_model_len }) => ({ id, root: root ?? null, maxTokens: max_model_len ?? null }));
}

/** Whether the engine says that it lives; no answer at all is "no", not an error. */
export async function isHealthy(send: Send, signal?: AbortSignal): Promise<boolean> {
  try {
    const response = await send({ method: "GET", path: "/health", signal, timeoutMs: controlTimeoutMs });
    response.cancel();
    return response.status === 200;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

function collectAnswer(onDelta: ReadPage["onDelta"]) {
  let text = "";
  let finishReason: FinishReason | undefined;
  let isDone = false;
  let facts: Omit<PageAnswer, "text" | "finishReason"> = {
    promptTokens: null,
    completionTokens: null,
    modelReported: null,
    meanConfidence: null,
  };

  function takeChunk(chunk: AnswerChunk) {
    if (chunk.error !== undefined) throw errorInStream(chunk.error);
    facts = {
      promptTokens: chunk.usage?.prompt_tokens ?? facts.promptTokens,
      completionTokens: chunk.usage?.completion_tokens ?? facts.completionTokens,
      modelReported: chunk.model ?? facts.modelReported,
      meanConfidence: chunk.lectern?.mean_confidence ?? facts.meanConfidence,
    };
    const [choice] = chunk.choices;
    const delta = choice?.delta?.content;
    if (choice?.finish_reason) finishReason = finishReasonOf(choice.finish_reason);
    if (!delta) return;
    text += delta;
    if (onDelta?.(delta) === "stop") {
      finishReason ??= "caller";
      isDone = true;
    }
  }

  return {
    /** Takes the data of one event; true when the answer is complete. */
    take(data: string): boolean {
      if (isDone) return true;
      if (data === "[DONE]") return (isDone = true);
      const chunk = AnswerChunk.safeParse(parseJson(data));
      if (!chunk.success) throw new EngineError("broken_answer");
      takeChunk(chunk.data);
      return isDone;
    },
    result(): PageAnswer {
      if (!finishReason) throw new EngineError("broken_answer");
      return { text, finishReason, ...facts };
    },
  };
}

async function pump(response: SendResponse, answer: { take(data: string): boolean }) {
  let isComplete = false;
  const events = createParser({
    onEvent: ({ data }) => {
      isComplete = answer.take(data);
    },
  });
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.byteLength;
    if (bytes > maxAnswerBytes) throw new EngineError("broken_answer");
    events.feed(decoder.decode(piece, { stream: true }));
    if (isComplete) return;
  }
}

async function assertOk(response: SendResponse) {
  if (response.status >= 200 && response.status < 300) return;
  const body = await readText(response, maxErrorBytes).catch(() => "");
  throw engineErrorOf(response.status, body, retryAfterSeconds(response.headers["retry-after"], Date.now()));
}

async function readText(response: SendResponse, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= maxBytes) break;
  }
  response.cancel();
  return Buffer.concat(pieces).subarray(0, maxBytes).toString("utf8");
}

function errorInStream(error: NonNullable<AnswerChunk["error"]>): EngineError {
  const { message = "", code = 500 } = typeof error === "string" ? { message: error } : error;
  return engineErrorOf(Number(code) || 500, message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
