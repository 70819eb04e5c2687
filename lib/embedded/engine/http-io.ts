import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { EngineError } from "./engine-error";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** The request's JSON body. @throws EngineError when it is too large, not JSON, or not declared as JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers["content-type"]?.toLowerCase().startsWith("application/json")) {
    throw new EngineError("BadRequestError", "The request must be JSON with the content type application/json.");
  }
  const chunks: Buffer[] = [];
  let size = Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES ? Infinity : 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // destroyed, it could not be answered
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new EngineError(
        "RequestEntityTooLarge",
        `The request is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB; send a smaller picture.`,
      );
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new EngineError("BadRequestError", "The request body is not valid JSON.");
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendText(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type }).end(body);
}

/** Answers a failure in vLLM's shape: as a status while none is sent, else as the next event of the stream. */
export function sendError(response: ServerResponse, error: EngineError): void {
  if (response.headersSent) {
    sendEvent(response, error.body());
    endEvents(response);
    return;
  }
  if (error.status === 503) response.setHeader("retry-after", String(RETRY_AFTER_SECONDS));
  if (error.status === 413) response.setHeader("connection", "close"); // the rest of the body is not read
  sendJson(response, error.status, error.body());
}

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
}

export function sendEvent(response: ServerResponse, event: object): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

export function endEvents(response: ServerResponse): void {
  response.end("data: [DONE]\n\n");
}
