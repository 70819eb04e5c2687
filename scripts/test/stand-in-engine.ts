import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** What the stand-in does with one request for a page; without any it answers with `text`. */
export type Behaviour =
  | { kind: "answer"; text: string; pieceMs?: number; pieces?: number; finish?: "stop" | "length" }
  | { kind: "loop" }
  | { kind: "cut"; after: string }
  | { kind: "status"; status: number; body?: string; retryAfter?: string }
  | { kind: "hang"; first: string };

export type AskedPage = { temperature: number; maxTokens: number | undefined; prompt: string; at: number; isClosedByClient: boolean };

export type StandInEngine = {
  url: string;
  /** What was asked so far, in order. */
  asked: AskedPage[];
  /** Pages under way at once, at most. */
  readonly mostAtOnce: number;
  stop(): Promise<void>;
};

type Options = { behave(request: { index: number; asked: AskedPage }): Behaviour; contextTokens?: number; onPiece?(): void };

const LOOPING = "the same words over and over again, ";

/** An engine that speaks OpenAI's chat completions as vLLM does, and does as it is told: slow, looping, cut off, refusing. For tests. */
export async function startStandInEngine({ behave, contextTokens = 16_384, onPiece }: Options): Promise<StandInEngine> {
  const asked: AskedPage[] = [];
  let now = 0;
  let most = 0;
  const server = http.createServer((request, response) => {
    if (request.url === "/health") return response.end();
    if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: "stand-in", max_model_len: contextTokens }] }));
    void readBody(request).then(async (body) => {
      const page = readAsked(body);
      asked.push(page);
      response.on("close", () => (page.isClosedByClient = !response.writableFinished));
      most = Math.max(most, (now += 1));
      response.on("close", () => (now -= 1));
      await perform(response, behave({ index: asked.length - 1, asked: page }), onPiece);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get mostAtOnce() {
      return most;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece); // no encoding is set
  return Buffer.concat(pieces).toString();
}

function readAsked(body: string): AskedPage {
  const parsed = JSON.parse(body) as { temperature: number; max_tokens?: number; messages: { content: { type: string; text?: string }[] }[] }; // sent by our own client
  const prompt = parsed.messages[0]?.content.find(({ type }) => type === "text")?.text ?? "";
  return { temperature: parsed.temperature, maxTokens: parsed.max_tokens, prompt, at: Date.now(), isClosedByClient: false };
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, finish: string | null = null) => event({ model: "stand-in", choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function perform(response: http.ServerResponse, does: Behaviour, onPiece?: () => void): Promise<void> {
  if (does.kind === "status") {
    response.writeHead(does.status, does.retryAfter ? { "retry-after": does.retryAfter } : {}).end(does.body ?? "{}");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (does.kind === "hang") return void response.write(delta(does.first));
  if (does.kind === "cut") return void response.write(delta(does.after), () => response.destroy());
  if (does.kind === "loop") {
    while (!response.destroyed && response.writable) {
      response.write(delta(LOOPING));
      await pause(0);
    }
    return;
  }
  const { text, pieceMs = 0, pieces = 1, finish = "stop" } = does;
  const size = Math.max(1, Math.ceil(text.length / pieces));
  for (let at = 0; at < text.length; at += size) {
    if (at > 0) await pause(pieceMs);
    onPiece?.();
    response.write(delta(text.slice(at, at + size)));
  }
  response.end(`${delta("", finish)}${event({ model: "stand-in", choices: [], usage: { prompt_tokens: 1000, completion_tokens: text.length } })}data: [DONE]\n\n`);
}
