import { z } from "zod";

/** grounding: text with boxes. plain: Markdown only. The model is trained on these two prompts and no other. */
export type ReadMode = "grounding" | "plain";

/** How one page is asked for. The picture goes inline: an engine is never given an address to fetch. */
export type PageRequest = {
  model: string;
  /** PNG, base64, without the data-URL prefix. */
  imageBase64: string;
  mode: ReadMode;
  /** 0–2; greedy decoding (0) makes the model loop. */
  temperature?: number;
  topP?: number;
  /** `{ enable_thinking: false }` for the 0.8B and 4B; the 1B ignores it. */
  chatTemplateKwargs?: Record<string, boolean | string | number>;
  /** Left out unless the context demands it: the rest of the context is the limit then. */
  maxTokens?: number;
  /** Asks an engine that can (vLLM 0.17 or later) to stop a loop itself; others ignore it. */
  stopsLoops?: boolean;
};

/** LightOn's model cards; its README suggests 0.1 with the same top-p (https://github.com/lightonai/LightOnOCR). */
export const defaultSampling = { temperature: 0.2, topP: 0.9 } as const;

// https://github.com/vllm-project/vllm/pull/35451. Patterns of four tokens and more, over and over for a page's worth of cells:
// dotted leaders, rules and blank forms end before that, a loop does not.
const repetitionDetection = { max_pattern_size: 256, min_pattern_size: 4, min_count: 120 } as const;

/**
 * The body of `POST /v1/chat/completions`, streamed: one user message, the picture first, then the word "grounding" or nothing;
 * no system prompt.
 */
export function buildPageRequest(request: PageRequest) {
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${request.imageBase64}` } } as const;
  const prompt = request.mode === "grounding" ? [{ type: "text", text: "grounding" } as const] : [];
  return {
    model: request.model,
    messages: [{ role: "user", content: [picture, ...prompt] }],
    temperature: request.temperature ?? defaultSampling.temperature,
    top_p: request.topP ?? defaultSampling.topP,
    stream: true,
    stream_options: { include_usage: true },
    ...(request.maxTokens && { max_tokens: request.maxTokens }),
    ...(request.stopsLoops && { repetition_detection: repetitionDetection }),
    ...(request.chatTemplateKwargs && { chat_template_kwargs: request.chatTemplateKwargs }),
  };
}

const Usage = z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() });

/** One event of the streamed answer, as far as it matters. An error may arrive in place of a piece, after status 200. */
export const AnswerChunk = z.object({
  model: z.string().optional(),
  choices: z
    .array(z.object({ delta: z.object({ content: z.string().nullish() }).optional(), finish_reason: z.string().nullish() }))
    .default([]),
  usage: Usage.nullish(),
  /** What the embedded engine adds: how sure it is of the words, 0–100. */
  lectern: z.object({ mean_confidence: z.number().nullish() }).optional(),
  error: z.union([z.string(), z.object({ message: z.string().optional(), code: z.union([z.number(), z.string()]).nullish() })]).optional(),
});
export type AnswerChunk = z.infer<typeof AnswerChunk>;

/** `GET /v1/models`. */
export const ModelList = z.object({
  data: z.array(z.object({ id: z.string(), root: z.string().nullish(), max_model_len: z.number().nullish() })),
});

/** Why the model stopped. length: the token limit cut the page. repetition: the engine stopped a loop. caller: we did. */
export type FinishReason = "stop" | "length" | "repetition" | "caller" | "other";

/** vLLM's words for the end of an answer (`repetition_detected` since 0.17) in ours. */
export function finishReasonOf(reported: string): FinishReason {
  if (reported === "stop" || reported === "length") return reported;
  return reported.includes("repetition") ? "repetition" : "other";
}
