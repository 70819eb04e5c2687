import { z } from "zod";
import { DomainError } from "./errors";

const TextPart = z.strictObject({ type: z.literal("text"), text: z.string() });
const ImagePart = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(["auto", "low", "high"]).optional() }),
});
const Message = z.strictObject({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [TextPart, ImagePart])).min(1).max(16)]),
  name: z.string().max(64).optional(),
});

/**
 * The fields of `POST /v1/chat/completions` that may pass; any other is refused by name. What would make the engine fetch, run code,
 * answer several times or change how it is served is not among them.
 */
const ChatFields = z.strictObject({
  model: z.string().min(1).max(200),
  messages: z.array(Message).min(1).max(16),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string().max(200), z.array(z.string().max(200)).max(4)]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().gt(0).max(2).nullish(),
  n: z.literal(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().nullish() }).nullish(),
  chat_template_kwargs: z.strictObject({ enable_thinking: z.boolean().optional() }).optional(),
  repetition_detection: z.strictObject({ max_pattern_size: z.int().min(1).max(4096), min_pattern_size: z.int().min(1).max(4096), min_count: z.int().min(2).max(10_000) }).optional(),
  user: z.string().max(200).nullish(),
});

export type ChatRequest = z.infer<typeof ChatFields>;

/** A field that is wrong, so that an API's own error can name it. */
export class FieldRefused extends DomainError {
  readonly param: string | null;

  constructor(message: string, param: string | null) {
    super("invalid_input", message);
    this.name = "FieldRefused";
    this.param = param;
  }
}

/** The request, checked. Throws FieldRefused for a field that is unknown or wrong, and for a picture that is not inline. */
export function parseChatRequest(body: unknown): ChatRequest {
  const parsed = ChatFields.safeParse(body);
  if (!parsed.success) throw refusal(parsed.error.issues[0]);
  const { messages, stream, stream_options: options } = parsed.data;
  if (options && !stream) throw new FieldRefused("stream_options is allowed only with stream: true.", "stream_options");
  const pictures = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content)).flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
  for (const url of pictures) assertInline(url, "messages");
  if (pictures.length > 1) throw new FieldRefused("One request reads one page: send one image, and the next page in a request of its own.", "messages");
  return parsed.data;
}

/** Throws FieldRefused unless the picture comes as base64 in the request itself: addresses are never fetched. */
export function assertInline(url: string, param: string): void {
  if (!/^data:image\/(?:png|jpeg|jpg|webp);base64,/i.test(url.slice(0, 40)))
    throw new FieldRefused("Send the image inline, as data:image/png;base64,… (PNG, JPEG or WebP). Lectern and its engines fetch no addresses.", param);
}

function refusal(issue: z.core.$ZodIssue | undefined): FieldRefused {
  if (!issue) return new FieldRefused("The request is not a chat completion.", null);
  const place = issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return new FieldRefused(`${place === "" ? "The body" : place}: ${issue.message}.`, place || null);
  const field = [place, issue.keys[0] ?? ""].filter(Boolean).join(".");
  return new FieldRefused(`The gateway does not pass the field ${field.slice(0, 80)} on. Leave it out; docs/gateway.md lists the fields that it knows.`, field.slice(0, 80));
}

/**
 * What the engine is sent: the checked fields under the name that it serves, always as a stream with usage, so that what was read is
 * known at every moment, also when the client leaves. Fields that only OpenAI knows are left out.
 */
export function toEngineRequest(chat: ChatRequest, engine: { servedName: string; hasThinkingSwitch: boolean }): Record<string, unknown> {
  const { user: _user, n: _n, stream: _stream, stream_options: _options, chat_template_kwargs: kwargs, ...passed } = chat;
  const template = kwargs ?? (engine.hasThinkingSwitch ? { enable_thinking: false } : undefined);
  return {
    ...passed,
    model: engine.servedName,
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
    ...(template && engine.hasThinkingSwitch ? { chat_template_kwargs: template } : {}),
  };
}
