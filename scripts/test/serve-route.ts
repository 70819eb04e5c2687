import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";

export type Handler = (request: Request) => Promise<Response>;
export type RouteServer = { origin: string; /** Breaks every open connection without a goodbye, as a lost network does. */ cut(): void; close(): Promise<void> };

/** A real HTTP server on loopback around a route handler, with the request's signal aborted when the client leaves. */
export async function serveRoute(handle: Handler, port = 0): Promise<RouteServer> {
  const server = createServer((incoming, outgoing) => void answer(handle, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo; // it listens on TCP
  const cut = () => server.closeAllConnections();
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return { origin: `http://127.0.0.1:${address.port}`, cut, close };
}

async function answer(handle: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const response = await handle(toRequest(incoming, outgoing));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (!response.body) return void outgoing.end();
  const body = Readable.fromWeb(response.body as NodeStream); // the DOM's type of the same stream
  outgoing.on("close", () => body.destroy());
  body.on("error", () => outgoing.destroy()).pipe(outgoing);
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" } : {};
  return new Request(`http://${incoming.headers.host}${incoming.url}`, { method: incoming.method, headers, signal: left.signal, ...body } as RequestInit); // `duplex` is missing from the DOM's type
}
