import "server-only";
import { estimateTokens } from "./grounding-text";
import type { Size } from "./scan";

/** What answers; never the name of a model that it is not. */
export const MODEL_NAME = "embedded-tesseract-5";

export type FinishReason = "stop" | "length";

export type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number };

/** Lectern's own field beside OpenAI's: mean confidence 0–100, `null` for a page without a word. */
export type Vendor = { mean_confidence: number | null };

export type Answer = { id: string; created: number; pieces: string[]; finishReason: FinishReason; usage: Usage; lectern: Vendor };

const PIXELS_PER_TOKEN = 32 * 32; // one token per 32 × 32 pixels, as the 0.8B and 4B models count a page
const TEMPLATE_TOKENS = 20;

/** Prompt tokens as LightOnOCR-3 0.8B or 4B would count the picture; completion tokens are an estimate (characters / 4). */
export function usageOf(sent: Size, pieces: readonly string[]): Usage {
  const prompt = Math.round((sent.width * sent.height) / PIXELS_PER_TOKEN) + TEMPLATE_TOKENS;
  const completion = estimateTokens(pieces.reduce((sum, piece) => sum + piece.length, 0));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The answer in one piece (`object: "chat.completion"`). */
export function completion(answer: Answer): object {
  const message = { role: "assistant", content: answer.pieces.join(""), refusal: null };
  return {
    id: answer.id,
    object: "chat.completion",
    created: answer.created,
    model: MODEL_NAME,
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finishReason, stop_reason: null }],
    usage: answer.usage,
    lectern: answer.lectern,
  };
}

type Head = Pick<Answer, "id" | "created">;

/** The first event of a stream: the role, before any text. */
export function openingChunk(head: Head): object {
  return chunk(head, [{ index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }]);
}

/** The events that follow: one per block, the end with its reason, and the usage when asked for. */
export function answerChunks(answer: Answer, includeUsage: boolean): object[] {
  const texts = answer.pieces.map((content) => chunk(answer, [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }]));
  const end = {
    ...chunk(answer, [{ index: 0, delta: { content: "" }, logprobs: null, finish_reason: answer.finishReason, stop_reason: null }]),
    lectern: answer.lectern,
  };
  return [...texts, end, ...(includeUsage ? [{ ...chunk(answer, []), usage: answer.usage }] : [])];
}

function chunk({ id, created }: Head, choices: object[]): object {
  return { id, object: "chat.completion.chunk", created, model: MODEL_NAME, choices };
}

export function modelList(created: number): object {
  const model = { id: MODEL_NAME, object: "model", created, owned_by: "lectern", root: MODEL_NAME, parent: null };
  return { object: "list", data: [model] };
}
