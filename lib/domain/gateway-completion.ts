import { z } from "zod";
import { EngineError } from "./engine-failure";

const Chunk = z.object({
  id: z.string().optional(),
  created: z.number().optional(),
  model: z.string().optional(),
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional(), finish_reason: z.string().nullish(), stop_reason: z.union([z.string(), z.number()]).nullish() })).default([]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number().default(0), total_tokens: z.number().optional() }).nullish(),
  error: z.unknown().optional(),
});

/** The chat completion that a stream amounts to, as the API answers without streaming. Throws EngineError `broken_answer`. */
export function completionFrom(stream: string): Record<string, unknown> {
  let content = "";
  let finish: string | null = null;
  let facts: { id?: string | undefined; created?: number | undefined; model?: string | undefined } = {};
  let usage: { prompt_tokens: number; completion_tokens: number } | undefined;
  for (const event of stream.split("\n\n")) {
    if (!event.startsWith("data: ") || event.startsWith("data: [DONE]")) continue;
    const chunk = readChunk(event.slice(6));
    facts = { id: facts.id ?? chunk.id, created: facts.created ?? chunk.created, model: facts.model ?? chunk.model };
    content += chunk.choices[0]?.delta?.content ?? "";
    finish = chunk.choices[0]?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  if (!finish) throw new EngineError("broken_answer");
  return {
    id: facts.id ?? "",
    object: "chat.completion",
    created: facts.created ?? 0,
    model: facts.model ?? "",
    choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: finish }],
    ...(usage ? { usage: { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens, total_tokens: usage.prompt_tokens + usage.completion_tokens } } : {}),
  };
}

function readChunk(data: string): z.infer<typeof Chunk> {
  try {
    const chunk = Chunk.parse(JSON.parse(data));
    if (chunk.error === undefined) return chunk;
  } catch {
    // said below
  }
  throw new EngineError("broken_answer");
}
