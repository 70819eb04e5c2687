import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import { isHealthy, listModels, readPage } from "./engine";
import type { Send } from "./transport";

type Handler = (request: { path: string; body: string }, response: http.ServerResponse) => void;

let handler: Handler;
const server = http.createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => handler({ path: request.url ?? "", body: Buffer.concat(pieces).toString() }, response));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  handler = (_request, response) => response.writeHead(500).end();
});

const send: Send = ({ method, path, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo; // a TCP server has a port
    const request = http.request({ host: "127.0.0.1", port, method, path, headers, signal, agent: false }, (response) => {
      const lower = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
      resolve({ status: response.statusCode ?? 0, headers: lower, body: response, cancel: () => response.destroy() });
    });
    request.on("error", () => reject(signal?.aborted ? signal.reason : new DomainError("unavailable", "Nothing answers.")));
    request.end(body);
  });

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, finish: string | null = null) =>
  event({ model: "served", choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const usage = event({ model: "served", choices: [], usage: { prompt_tokens: 1700, completion_tokens: 42 } });

function stream(...pieces: string[]) {
  handler = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
}
function refuse(status: number, body = "", headers: Record<string, string> = {}) {
  handler = (_request, response) => response.writeHead(status, headers).end(body);
}

const page = { model: "lightonai/LightOnOCR-3-4B", imagePng: new Uint8Array([1, 2, 3]), mode: "grounding" as const };

describe("reading a page", () => {
  it("asks as the model was trained: picture, then the one word, no limit, no system prompt", async () => {
    const bodies: string[] = [];
    handler = ({ path, body }, response) => {
      bodies.push(path, body);
      response.writeHead(200).end(delta("x", "stop"));
    };
    await readPage(send, { ...page, temperature: 0.1, topP: 1, chatTemplateKwargs: { enable_thinking: false } });
    expect(bodies[0]).toBe("/v1/chat/completions");
    expect(JSON.parse(bodies[1] ?? "")).toEqual({
      model: "lightonai/LightOnOCR-3-4B",
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
            { type: "text", text: "grounding" },
          ],
        },
      ],
      temperature: 0.1,
      top_p: 1,
      stream: true,
      stream_options: { include_usage: true },
      chat_template_kwargs: { enable_thinking: false },
    });
    await readPage(send, { ...page, mode: "plain", maxTokens: 4096 });
    const plain = JSON.parse(bodies[3] ?? "");
    expect(plain.messages[0].content).toHaveLength(1);
    expect(plain).toMatchObject({ temperature: 0.2, top_p: 0.9, max_tokens: 4096 });
  });

  it("gives pieces as they come, and the whole with its facts", async () => {
    const bytes = delta("![text](1,2,3,4) Straße") + delta(" zu", "length") + usage + "data: [DONE]\n\n";
    const raw = Buffer.from(bytes);
    const cut = raw.indexOf(0xc3) + 1; // inside the two bytes of ß
    handler = (_request, response) => {
      response.writeHead(200);
      response.write(raw.subarray(0, cut), () => setImmediate(() => response.end(raw.subarray(cut))));
    };
    const deltas: string[] = [];
    const answer = await readPage(send, { ...page, onDelta: (text) => void deltas.push(text) });
    expect(deltas).toEqual(["![text](1,2,3,4) Straße", " zu"]);
    expect(answer).toEqual({
      text: "![text](1,2,3,4) Straße zu",
      finishReason: "length",
      promptTokens: 1700,
      completionTokens: 42,
      modelReported: "served",
      meanConfidence: null,
    });
  });

  it("ends the request at the engine when told to stop, and keeps the text", async () => {
    const closed = new Promise<void>((resolve) => {
      handler = (_request, response) => {
        response.on("close", resolve);
        response.writeHead(200);
        response.write(delta("again ") + delta("again ") + delta("never seen"));
      };
    });
    let count = 0;
    const answer = await readPage(send, { ...page, onDelta: () => ((count += 1) === 2 ? "stop" : undefined) });
    expect(answer).toMatchObject({ text: "again again ", finishReason: "caller" });
    await closed;
  });

  it("rejects with the signal's reason and closes the connection", async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      handler = (_request, response) => {
        response.on("close", resolve);
        response.writeHead(200);
        response.write(delta("one"));
      };
    });
    const reading = readPage(send, { ...page, signal: controller.signal, onDelta: () => controller.abort(new Error("cancelled")) });
    await expect(reading).rejects.toThrow("cancelled");
    await closed;
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["repetition_detected", "repetition"],
    ["content_filter", "other"],
  ])("%s ends as %s", async (reported, ours) => {
    stream(delta("x", reported));
    expect((await readPage(send, page)).finishReason).toBe(ours);
  });

  it("takes the embedded engine's confidence", async () => {
    stream(delta("x", "stop"), event({ choices: [], lectern: { mean_confidence: 87.5 } }));
    expect((await readPage(send, page)).meanConfidence).toBe(87.5);
  });
});

describe("refusals and failures", () => {
  const context = '{"error":{"message":"This model\'s maximum context length is 16384 tokens. SECRET"}}';
  it.each<[number, string, Record<string, string>, object]>([
    [400, context, {}, { reason: "context_exceeded", code: "unprocessable", canRetry: false }],
    [400, '{"error":{"message":"cannot identify image SECRET"}}', {}, { reason: "rejected", canRetry: false }],
    [401, "SECRET", {}, { reason: "unauthorised", code: "upstream_failed" }],
    [404, "SECRET", {}, { reason: "no_such_model", code: "upstream_failed" }],
    [429, "SECRET", { "retry-after": "7" }, { reason: "busy", code: "rate_limited", retryAfterSeconds: 7, canRetry: true }],
    [503, "SECRET", { "retry-after": "99999" }, { reason: "busy", code: "unavailable", retryAfterSeconds: 600 }],
    [503, "SECRET", { "retry-after": "nonsense" }, { reason: "busy", retryAfterSeconds: undefined }],
    [503, "", { "retry-after": new Date(Date.now() - 60_000).toUTCString() }, { reason: "busy", retryAfterSeconds: 0 }],
    [504, "SECRET", {}, { reason: "too_slow", code: "upstream_failed", canRetry: false }],
    [500, "SECRET", {}, { reason: "engine_failed", canRetry: true }],
  ])("%i %s %o", async (status, body, ...[headers, expected]) => {
    refuse(status, body, headers);
    const error: unknown = await readPage(send, page).catch((reason: unknown) => reason);
    expect(error).toMatchObject(expected);
    expect(String(error)).not.toContain("SECRET");
  });

  it.each([
    ["an error in the stream", [delta("half"), event({ error: { message: "out of memory SECRET", code: 500 } })], "engine_failed"],
    ["a context error in the stream", [event({ error: { message: "maximum context length", code: 400 } })], "context_exceeded"],
    ["an end without a reason", [delta("half")], "broken_answer"],
    ["nothing", [], "broken_answer"],
    ["an event that is not JSON", ["data: <html>\n\n"], "broken_answer"],
    ["an event of another shape", ['data: {"choices": 5}\n\n'], "broken_answer"],
  ])("%s", async (_name, pieces, reason) => {
    stream(...pieces);
    await expect(readPage(send, page)).rejects.toMatchObject({ reason });
  });

  it("a connection that is cut", async () => {
    handler = (_request, response) => {
      response.writeHead(200);
      response.write(delta("half"), () => response.destroy());
    };
    await expect(readPage(send, page)).rejects.toMatchObject({ reason: "broken_answer", canRetry: true });
  });
});

describe("asking about the engine", () => {
  it("lists models", async () => {
    refuse(
      200,
      JSON.stringify({ object: "list", data: [{ id: "m", root: "lightonai/LightOnOCR-3-1B", max_model_len: 16384 }, { id: "n" }] }),
    );
    expect(await listModels(send)).toEqual([
      { id: "m", root: "lightonai/LightOnOCR-3-1B", maxTokens: 16384 },
      { id: "n", root: null, maxTokens: null },
    ]);
    refuse(200, "<html>");
    await expect(listModels(send)).rejects.toMatchObject({ reason: "broken_answer" });
  });

  it("knows a healthy engine from a dead or absent one", async () => {
    refuse(200);
    expect(await isHealthy(send)).toBe(true);
    refuse(503);
    expect(await isHealthy(send)).toBe(false);
    expect(await isHealthy(() => Promise.reject(new DomainError("unavailable", "Nothing answers.")))).toBe(false);
  });
});
