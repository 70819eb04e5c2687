import "server-only";
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { DomainError } from "@/lib/domain/errors";
import { checkedLookup, isAllowedAddress, refusedAddress, type Resolve } from "./send-address";
import { connectionError } from "./send-error";
import type { Send, SendRequest, SendResponse } from "./transport";

/** One origin, its credentials, and where it may lead. Certificates are PEM; the token is sent as a bearer token to this origin only. */
export type SendOptions = {
  origin: string;
  caPem?: string;
  token?: string;
  clientCertPem?: string;
  clientKeyPem?: string;
  allowLoopback: boolean;
  /** CIDR ranges of private addresses that an owner has allowed. */
  allowPrivate?: readonly string[];
  /** Plain http beyond loopback: for a model server inside the cluster's own network. */
  allowHttp?: boolean;
  resolve?: Resolve;
};

const defaultTimeoutMs = 30_000;
const maxHeaderBytes = 32 * 1024;

/**
 * The one way out for addresses that a user can influence: https, a checked address, no redirects, kept-alive connections, a deadline.
 * Throws DomainError `invalid_input` for an origin that can never be right; the `Send` rejects with `unavailable` or `forbidden`.
 */
export function createSend(options: SendOptions): Send {
  const url = parseOrigin(options);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const policy = { allowLoopback: options.allowLoopback, allowPrivate: options.allowPrivate ?? [] };
  const isTls = url.protocol === "https:";
  const pool = { keepAlive: true, maxSockets: 1024, timeout: 60_000 };
  const agent = isTls
    ? new HttpsAgent({
        ...pool,
        ca: options.caPem,
        cert: options.clientCertPem,
        key: options.clientKeyPem,
        rejectUnauthorized: true,
        minVersion: "TLSv1.2",
      })
    : new HttpAgent(pool);
  const base: RequestOptions = {
    agent,
    host,
    port: url.port || (isTls ? 443 : 80),
    lookup: checkedLookup(policy, options.resolve),
    maxHeaderSize: maxHeaderBytes,
  };
  const start = (request: SendRequest): ClientRequest => {
    const headers = {
      ...request.headers,
      ...bodyLength(request),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    };
    const all = { ...base, method: request.method, path: request.path, headers };
    return isTls ? httpsRequest(all) : httpRequest(all);
  };
  return async (request) => {
    if (!request.path.startsWith("/")) throw new DomainError("invalid_input", "A request path must start with a slash.");
    if (isIP(host) && !isAllowedAddress(host, policy)) throw refusedAddress(host);
    return sendOnce(start, request, url.host).catch((error: unknown) => {
      if (error instanceof StaleConnection) return sendOnce(start, request, url.host);
      throw error;
    });
  };
}

/** A kept-alive connection that the other side had closed when the request went out: nothing was processed, so it may be sent again. */
class StaleConnection extends DomainError {}

function parseOrigin(options: SendOptions): URL {
  const url = URL.canParse(options.origin) ? new URL(options.origin) : null;
  if (!url) throw new DomainError("invalid_input", "The address is not a URL: write it like https://host:6443.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new DomainError("invalid_input", "The address must start with https://.");
  const loopback = options.allowLoopback && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !loopback && !options.allowHttp)
    throw new DomainError("invalid_input", "The address must start with https://: plain http would send credentials in the clear.");
  if (url.protocol === "http:" && !loopback && options.token !== undefined)
    throw new DomainError("invalid_input", "A token is not sent over plain http: use https.");
  if (url.username || url.password) throw new DomainError("invalid_input", "The address must not contain a user name or password.");
  if (url.port !== "" && Number(url.port) < 1024 && Number(url.port) !== 443)
    throw new DomainError("invalid_input", `Port ${url.port} is not allowed: use 443 or a port above 1023.`);
  return url;
}

function bodyLength({ body }: SendRequest): Record<string, string> {
  if (body === undefined) return {};
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : piecesOf(body).reduce((sum, piece) => sum + piece.byteLength, 0);
  return { "content-length": String(bytes) };
}

function piecesOf(body: Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  return body instanceof Uint8Array ? [body] : body;
}

function write(outgoing: ClientRequest, { body }: SendRequest): void {
  if (body === undefined || typeof body === "string") return void outgoing.end(body);
  outgoing.cork(); // one write for all of them
  for (const piece of piecesOf(body)) outgoing.write(piece);
  outgoing.end();
}

function sendOnce(start: (request: SendRequest) => ClientRequest, request: SendRequest, host: string): Promise<SendResponse> {
  return new Promise((resolve, reject) => {
    request.signal?.throwIfAborted();
    const outgoing = start(request);
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
    const timer = setTimeout(
      () =>
        outgoing.destroy(new DomainError("unavailable", `${host} did not answer within ${timeoutMs / 1000} s.`, { retryAfterSeconds: 5 })),
      timeoutMs,
    );
    let answered: IncomingMessage | undefined;
    // Once answered, the socket may belong to the pool again: only the answer is destroyed, and its reader gets the reason.
    const abort = () => (answered ? answered.destroy() : outgoing.destroy(abortReason(request.signal)));
    request.signal?.addEventListener("abort", abort, { once: true });
    const release = () => request.signal?.removeEventListener("abort", abort);
    outgoing.on("response", (incoming) => {
      clearTimeout(timer);
      answered = incoming;
      incoming.once("close", release);
      resolve(response(incoming, { host, signal: request.signal }));
    });
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      release();
      if (isStale(outgoing, request, error)) reject(new StaleConnection("unavailable", `${host} closed the connection.`));
      else reject(request.signal?.aborted ? abortReason(request.signal) : connectionError(error, host));
    });
    write(outgoing, request);
  });
}

function isStale(outgoing: ClientRequest, request: SendRequest, error: NodeJS.ErrnoException): boolean {
  return (
    outgoing.reusedSocket &&
    request.method !== "POST" &&
    !request.signal?.aborted &&
    (error.code === "ECONNRESET" || error.code === "EPIPE")
  );
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException("The request was aborted.", "AbortError");
}

function response(incoming: IncomingMessage, context: { host: string; signal?: AbortSignal }): SendResponse {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
  return { status: incoming.statusCode ?? 0, headers, body: chunks(incoming, context), cancel: () => incoming.destroy() };
}

async function* chunks(incoming: IncomingMessage, { host, signal }: { host: string; signal?: AbortSignal }): AsyncGenerator<Uint8Array> {
  try {
    // Without an encoding set, a response yields buffers.
    for await (const chunk of incoming as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (signal?.aborted) throw abortReason(signal);
    throw connectionError(error, host);
  }
}
