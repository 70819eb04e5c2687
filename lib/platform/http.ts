import "server-only";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { DomainError } from "@/lib/domain/errors";
import type { Door, DoorOperation, FileAnswer } from "./door";
import { assertSameOrigin, refuseTokenInUrl, requestOrigin } from "./origin-check";
import { PRIVATE_HEADERS, problem } from "./problem";

const MAX_JSON_BYTES = 1024 * 1024;

/** Answers `GET|POST|PUT /api/<operation>`: identify, look up, pipeline, JSON. Holds no rule about business. */
export async function dispatch(door: Door, name: string, request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    refuseTokenInUrl(request);
    const caller = await door.identify({ headers: request.headers, origin: requestOrigin(request), requestId });
    const operation = Object.hasOwn(door.operations, name) ? door.operations[name] : undefined;
    if (!operation) throw new DomainError("not_found", `There is no operation named ${name.slice(0, 80)}. /api/openapi.json lists them.`);
    assertMethod(operation, request);
    if (operation.kind === "write") assertSameOrigin(request);
    const { input, body } = await readRequest(operation, request);
    const result = await door.execute(name, { caller, input, signal: request.signal, ...(body ? { body } : {}) });
    return operation.answers === "file" ? fileResponse(result as FileAnswer, requestId) : jsonResponse(result, requestId); // a file operation's output schema is FileAnswer
  } catch (error) {
    return problem(error, requestId);
  }
}

function assertMethod(operation: DoorOperation, request: Request): void {
  const expected = operation.kind === "read" ? "GET" : operation.accepts === "stream" ? "PUT" : "POST";
  if (request.method === expected) return;
  throw new DomainError("method_not_allowed", `${operation.name} is called with ${expected}, not ${request.method}.`);
}

async function readRequest(operation: DoorOperation, request: Request): Promise<{ input: unknown; body?: ReadableStream<Uint8Array> }> {
  if (operation.kind === "write" && operation.accepts !== "stream") return { input: await readJson(request) };
  const input = parseJson(new URL(request.url).searchParams.get("input") ?? "{}");
  return request.body && operation.accepts === "stream" ? { input, body: request.body } : { input };
}

/** The JSON body of a request. Throws `unsupported_type`, `too_large` or `invalid_input`. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new DomainError("unsupported_type", "Send the input as JSON, with the header Content-Type: application/json.");
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!request.body) return {};
  for await (const chunk of Readable.fromWeb(request.body as NodeStream)) {
    size += chunk.byteLength;
    if (size > MAX_JSON_BYTES) throw new DomainError("too_large", "The input is larger than 1 MiB.");
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString("utf8") || "{}");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("invalid_input", "The input is not JSON.");
  }
}

function jsonResponse(result: unknown, requestId: string): Response {
  return Response.json(result ?? null, { headers: { ...PRIVATE_HEADERS, "X-Request-Id": requestId } });
}

/** User files run nothing: sandboxed, never sniffed, and saved under a harmless name. */
function fileResponse(file: FileAnswer, requestId: string): Response {
  const headers = new Headers({
    ...PRIVATE_HEADERS,
    "Content-Type": file.mediaType,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Request-Id": requestId,
  });
  if (file.bytes !== undefined) headers.set("Content-Length", String(file.bytes));
  if (file.fileName) headers.set("Content-Disposition", `attachment; filename="${asciiName(file.fileName)}"; filename*=UTF-8''${extendedName(file.fileName)}`);
  return new Response(file.body as BodyInit, { headers }); // Uint8Array and ReadableStream are both BodyInit; the DOM types lag behind
}

/** RFC 8187: UTF-8 in percent signs, and so are the few that `encodeURIComponent` leaves and the header does not take. */
function extendedName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function asciiName(name: string): string {
  return name.replace(/[^A-Za-z0-9._ -]/g, "_").slice(0, 120);
}
