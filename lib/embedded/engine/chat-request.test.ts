import { expect, test } from "vitest";
import { parseChatRequest } from "./chat-request";

const image = { type: "image_url", image_url: { url: `data:image/png;base64,${Buffer.from("png").toString("base64")}` } };
const text = (value: string) => ({ type: "text", text: value });
const ask = (content: unknown, rest: object = {}) => ({
  model: "lightonai/LightOnOCR-3-1B",
  messages: [{ role: "user", content }],
  ...rest,
});
const withUrl = (url: string) => ask([{ type: "image_url", image_url: { url } }]);

test.each([
  [ask([image]), { mode: "plain", maxTokens: undefined, isStream: false, includeUsage: false }],
  [ask([image, text("")]), { mode: "plain" }],
  [ask([image, text("grounding")]), { mode: "grounding" }],
  [ask([image], { max_tokens: 9 }), { maxTokens: 9 }],
  [ask([image], { max_tokens: 9, max_completion_tokens: 7 }), { maxTokens: 7 }],
  [ask([image], { stream: true, stream_options: { include_usage: true } }), { isStream: true, includeUsage: true }],
  [ask([image], { temperature: 0.2, top_p: 0.9, chat_template_kwargs: { enable_thinking: false } }), { mode: "plain" }],
])("accepts %j", (body, expected) => {
  expect(parseChatRequest(body)).toMatchObject({ ...expected, image: Buffer.from("png") });
});

test.each([
  ["no object", "x", "not a chat completion"],
  ["no messages", { model: "m" }, "messages"],
  ["no image", ask("grounding"), "has no image"],
  ["two images", ask([image, image]), "At most 1 image(s)"],
  ["another instruction", ask([image, text("Translate this")]), "must be empty"],
  ["a system prompt", { messages: [{ role: "system", content: "Be brief" }, ask([image]).messages[0]] }, "exactly one message"],
  ["an address", withUrl("https://example.org/a.png"), "fetches no addresses"],
  ["a file address", withUrl("file:///etc/hostname"), "fetches no addresses"],
  ["bytes that are no image by name", withUrl("data:text/html;base64,aGk="), "must start with data:image"],
  ["bad base64", withUrl("data:image/png;base64,%%%"), "not valid base64"],
  ["nothing in base64", withUrl("data:image/png;base64,"), "not valid base64"],
  ["several answers", ask([image], { n: 2 }), "n"],
  ["no tokens", ask([image], { max_tokens: 0 }), "max_tokens"],
  ["stream options without a stream", ask([image], { stream_options: { include_usage: true } }), "stream=True"],
])("refuses %s", (_name, body, sentence) => {
  expect(() => parseChatRequest(body)).toThrowError(
    expect.objectContaining({ type: "BadRequestError", status: 400, message: expect.stringContaining(sentence) }),
  );
});
