import "server-only";
import https from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ApiContext } from "./context";
import { dispatch } from "./dispatch";
import type { ApiRequest, Reply } from "./request";
import { internal, StatusError, unauthorized } from "./status";

export type ServerKeys = { key: string; cert: string };

export type ApiServer = https.Server & { end(): Promise<void> };

/** Serves the API over HTTPS; every answer waits until what it tells is on the disk. `end` lets go of every connection, also one that still shakes hands. */
export function createApiServer(context: ApiContext, keys: ServerKeys): ApiServer {
  const server = https.createServer({ ...keys, minVersion: "TLSv1.2" }, (incoming, response) => void answer(context, incoming, response));
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  return Object.assign(server, { end: ending(server) });
}

/** `closeAllConnections` knows a connection from the end of its handshake on only: a client that came at that moment would keep the server open. */
function ending(server: https.Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

async function answer(context: ApiContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const reply = await dispatch(context, toRequest(context, incoming, response));
    await context.store.durable();
    if (reply) send(incoming, response, reply);
  } catch (error) {
    const failure =
      error instanceof StatusError ? error : internal(`Internal error occurred: ${error instanceof Error ? error.message : "unknown"}`);
    if (response.headersSent) response.destroy();
    else send(incoming, response, { status: failure.code, body: failure.toStatus() });
  }
}

function toRequest(context: ApiContext, incoming: IncomingMessage, response: ServerResponse): ApiRequest {
  const url = new URL(incoming.url ?? "/", "https://sandbox");
  const user = context.tokens.authenticate(incoming.headers.authorization);
  if (!user) throw unauthorized();
  const { method = "GET", headers } = incoming;
  return { method, path: url.pathname, query: url.searchParams, headers, user, incoming, response };
}

function send(incoming: IncomingMessage, response: ServerResponse, { status, body, contentType, headers }: Reply): void {
  // An unread body would keep the connection from being used again.
  incoming.resume();
  const text = typeof body === "string" ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    "content-type": contentType ?? "application/json",
    "cache-control": "no-cache, private",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(incoming.method === "HEAD" ? undefined : text);
}

/** Listens on the wanted port of 127.0.0.1, or on any free one when it is taken. */
export async function listen(server: https.Server, wanted: number): Promise<number> {
  try {
    return await listenOn(server, wanted);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isTaken || wanted === 0) throw error;
    return listenOn(server, 0);
  }
}

function listenOn(server: https.Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
