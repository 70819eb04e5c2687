import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export type FixtureServer = {
  origin: string;
  port: number;
  caPem: string;
  clientCertPem: string;
  clientKeyPem: string;
  connections: () => number;
  close: () => Promise<void>;
};

/** A TLS server on loopback for tests, with a certificate for localhost and 127.0.0.1; asks for a client certificate and takes none too. */
export async function startTlsServer(handler: Handler): Promise<FixtureServer> {
  const altNames = [
    { type: 2 as const, value: "localhost" },
    { type: 7 as const, ip: "127.0.0.1" },
  ];
  const extensions = [
    { name: "basicConstraints" as const, cA: true },
    { name: "subjectAltName" as const, altNames },
  ];
  const pem = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions,
    clientCertificate: { cn: "lectern" },
  });
  const server = createTlsServer({ cert: pem.cert, key: pem.private, ca: pem.cert, requestCert: true, rejectUnauthorized: false }, handler);
  return { ...(await listen(server)), caPem: pem.cert, clientCertPem: pem.clientcert ?? "", clientKeyPem: pem.clientprivate ?? "" };
}

/** Whether the request came with a client certificate. */
export function hasClientCertificate(request: IncomingMessage): boolean {
  return Object.keys((request.socket as TLSSocket).getPeerCertificate()).length > 0;
}

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>) {
  let connections = 0;
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { origin: `https://localhost:${port}`, port, connections: () => connections, close };
}

/** The request's body as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
