import "server-only";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { parseChatRequest, type ChatRequest } from "./chat-request";
import { EngineError } from "./engine-error";
import { answerChunks, completion, modelList, openingChunk, usageOf, type Answer } from "./envelope";
import { cutPieces, writePieces } from "./grounding-text";
import { endEvents, readJson, sendError, sendEvent, sendJson, sendText, startEvents } from "./http-io";
import { createMetrics, type Metrics } from "./metrics";
import { preparePicture, type Picture } from "./picture";
import type { PageReading, Recogniser } from "./recogniser";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The HTTP side of the engine, as vLLM answers: chat completions, models, health and metrics. */
export function createEngineServer(recogniser: Recogniser): Server {
  const created = nowSeconds();
  const metrics = createMetrics();
  const routes: Record<string, Record<string, Handler>> = {
    "/v1/chat/completions": { POST: (request, response) => completeChat(request, response, { recogniser, metrics }) },
    "/v1/models": { GET: (_request, response) => sendJson(response, 200, modelList(created)) },
    "/health": { GET: (_request, response) => void response.writeHead(recogniser.isHealthy() ? 200 : 503).end() },
    "/metrics": {
      GET: (_request, response) => sendText(response, "text/plain; version=0.0.4; charset=utf-8", metrics.text(recogniser.load())),
    },
  };
  return createServer(async (request, response) => {
    try {
      await route(routes, request)(request, response);
    } catch (error) {
      sendError(
        response,
        error instanceof EngineError ? error : new EngineError("InternalServerError", "The engine failed to read the page; send it again."),
      );
    }
  });
}

function route(routes: Record<string, Record<string, Handler>>, request: IncomingMessage): Handler {
  const { pathname } = new URL(request.url ?? "/", "http://engine");
  const methods = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
  if (!methods) throw new EngineError("NotFoundError", "Not Found");
  const handler = methods[request.method ?? ""];
  if (!handler) throw new EngineError("MethodNotAllowed", `Method Not Allowed; use ${Object.keys(methods).join(", ")}.`);
  return handler;
}

async function completeChat(
  request: IncomingMessage,
  response: ServerResponse,
  { recogniser, metrics }: { recogniser: Recogniser; metrics: Metrics },
): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort(new Error("The client left.")));
  const chat = parseChatRequest(await readJson(request));
  const picture = await preparePicture(chat.image);
  const head = { id: `chatcmpl-${randomUUID().replaceAll("-", "")}`, created: nowSeconds() };
  try {
    const reading = recogniser.read(picture, left.signal); // refuses at once when the queue is full, before the stream opens
    if (chat.isStream) {
      startEvents(response);
      sendEvent(response, openingChunk(head));
    }
    const answer = { ...head, ...answerOf(await reading, picture, chat) };
    send(response, answer, chat);
    metrics.count(answer.finishReason, answer.usage);
  } catch (error) {
    metrics.count(left.signal.aborted ? "abort" : "error");
    throw error;
  }
}

function answerOf(reading: PageReading, picture: Picture, chat: ChatRequest): Omit<Answer, "id" | "created"> {
  const { pieces, isCut } = cutPieces(writePieces(reading.blocks, chat.mode), chat.maxTokens);
  const confidence = reading.meanConfidence;
  return {
    pieces,
    finishReason: isCut ? "length" : "stop",
    usage: usageOf(picture.sent, pieces),
    lectern: { mean_confidence: confidence === null ? null : Math.round(confidence) },
  };
}

function send(response: ServerResponse, answer: Answer, chat: ChatRequest): void {
  if (!chat.isStream) {
    sendJson(response, 200, completion(answer));
    return;
  }
  for (const event of answerChunks(answer, chat.includeUsage)) sendEvent(response, event);
  endEvents(response);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
