import "server-only";
import { z } from "zod";
import { EngineError } from "./engine-error";
import type { Mode } from "./grounding-text";

const TextPart = z.object({ type: z.literal("text"), text: z.string() });
const ImagePart = z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) });

/** The part of OpenAI's chat completion request that matters here; sampling settings are accepted and have no effect. */
const ChatBody = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.union([TextPart, ImagePart]))]) })),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.int().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

/** One page to read: the picture's bytes as they were sent, and how to answer. */
export type ChatRequest = { image: Buffer; mode: Mode; maxTokens: number | undefined; isStream: boolean; includeUsage: boolean };

/**
 * Reads the request for one page: one user message with one inline image, and no text or the word `grounding`.
 * @throws EngineError BadRequestError with a sentence that names what is wrong.
 */
export function parseChatRequest(body: unknown): ChatRequest {
  const parsed = ChatBody.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join(".") ?? "";
    throw refuse(`The request is not a chat completion: ${place === "" ? "body" : place}: ${issue?.message ?? "invalid"}.`, place);
  }
  const { messages, n, stream, stream_options: streamOptions } = parsed.data;
  const [message, ...others] = messages;
  if (!message || others.length > 0 || message.role !== "user")
    throw refuse("Send exactly one message, with the role user; this engine takes no system prompt and no history.");
  if (n != null && n !== 1) throw refuse("Only one answer is given: leave out n or set it to 1.", "n");
  if (streamOptions && !stream) throw refuse("Stream options can only be defined when `stream=True`.", "stream_options");
  const parts = typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  return {
    image: imageOf(parts),
    mode: modeOf(parts),
    maxTokens: parsed.data.max_completion_tokens ?? parsed.data.max_tokens ?? undefined,
    isStream: stream ?? false,
    includeUsage: streamOptions?.include_usage ?? false,
  };
}

type Part = z.infer<typeof TextPart> | z.infer<typeof ImagePart>;

function modeOf(parts: readonly Part[]): Mode {
  const text = parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
  if (text === "") return "plain";
  if (text === "grounding") return "grounding";
  throw refuse(
    "The text must be empty (Markdown) or the word `grounding` (Markdown with boxes); this engine reads pages and follows no other instruction.",
  );
}

function imageOf(parts: readonly Part[]): Buffer {
  const urls = parts.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
  const [url, ...others] = urls;
  if (url === undefined) throw refuse("The message has no image: add one image_url part with the page as a data: URL.");
  if (others.length > 0) throw refuse("At most 1 image(s) may be provided in one prompt.");
  return decodeDataUrl(url);
}

function decodeDataUrl(url: string): Buffer {
  const comma = url.indexOf(",");
  if (!/^data:/i.test(url)) throw refuse("The image must be inline as a data: URL; this engine fetches no addresses.");
  if (comma < 0 || !/^data:image\/[a-z0-9.+-]+;base64$/i.test(url.slice(0, comma)))
    throw refuse("The image's data: URL must start with data:image/<type>;base64,");
  const base64 = url.slice(comma + 1);
  if (base64 === "" || base64.length % 4 === 1 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw refuse("The image's data: URL is not valid base64.");
  return Buffer.from(base64, "base64");
}

function refuse(message: string, param = "messages"): EngineError {
  return new EngineError("BadRequestError", message, param === "" ? {} : { param });
}
