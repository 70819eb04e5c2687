import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import { hasClientCertificate, startTlsServer, type FixtureServer, type Handler } from "./kube/fixture-server";
import { createSend } from "./send";
import { checkedLookup, type Resolve } from "./send-address";
import { readText } from "./send-body";

let server: FixtureServer;
let upstreamClosed: Promise<void>;
let markClosed: () => void;

const routes: Record<string, Handler> = {
  "/echo": (request, response) =>
    response.end(JSON.stringify({ headers: request.headers, method: request.method, certificate: hasClientCertificate(request) })),
  "/redirect": (_, response) => response.writeHead(302, { location: "https://169.254.169.254/latest/meta-data" }).end(),
  "/never": () => undefined,
  "/endless": (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65536))) continue;
    };
    response.on("drain", write);
    response.on("close", () => markClosed());
    write();
  },
  "/headers": (_, response) => response.writeHead(200, { "x-large": "a".repeat(64 * 1024) }).end(),
  "/dripping": (_, response) => {
    const drip = setInterval(() => response.write("."), 5);
    response.on("close", () => (clearInterval(drip), markClosed()));
  },
  "/stream": (_, response) => {
    response.write("first\n");
    response.on("close", () => markClosed());
  },
};

beforeAll(async () => {
  server = await startTlsServer((request, response) => routes[request.url ?? ""]?.(request, response));
});
afterAll(() => server.close());

const open = (extra = {}) => {
  upstreamClosed = new Promise((resolve) => (markClosed = resolve));
  return createSend({ origin: server.origin, caPem: server.caPem, token: "t0ken", allowLoopback: true, ...extra });
};
const get = (path: string, extra = {}) => ({ method: "GET" as const, path, ...extra });

describe("one origin", () => {
  it("verifies the certificate, sends the token, and keeps the connection", async () => {
    const send = open();
    const before = server.connections();
    for (let call = 0; call < 5; call += 1) {
      const response = await send(get("/echo", { headers: { "x-a": "b" } }));
      expect(JSON.parse(await readText(response)).headers).toMatchObject({ authorization: "Bearer t0ken", "x-a": "b" });
    }
    expect(server.connections() - before).toBe(1);
  });

  it("refuses a certificate that the CA did not sign, and a name that it is not for", async () => {
    const other = await startTlsServer(() => undefined);
    await expect(open({ caPem: other.caPem })(get("/echo"))).rejects.toThrow("give the cluster's own CA");
    await other.close();
    await expect(open({ caPem: undefined })(get("/echo"))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("shows a client certificate", async () => {
    const send = open({ clientCertPem: server.clientCertPem, clientKeyPem: server.clientKeyPem, token: undefined });
    expect(JSON.parse(await readText(await send(get("/echo"))))).toMatchObject({ certificate: true });
  });

  it("sends bodies with their length", async () => {
    const response = await open()({ method: "POST", path: "/echo", body: "é" });
    expect(JSON.parse(await readText(response))).toMatchObject({ method: "POST", headers: { "content-length": "2" } });
  });

  it("follows no redirect, least of all to a metadata address", async () => {
    const before = server.connections();
    const response = await open()(get("/redirect"));
    expect(response.status).toBe(302);
    response.cancel();
    expect(server.connections() - before).toBe(1);
  });

  it("gives up at the deadline with the host's name", async () => {
    await expect(open()(get("/never", { timeoutMs: 50 }))).rejects.toThrow(/localhost:\d+ did not answer within 0.05 s/);
  });

  it("stops reading an endless body at the limit, and closes the connection", async () => {
    const response = await open()(get("/endless"));
    await expect(readText(response)).rejects.toMatchObject({ code: "too_large" });
    await upstreamClosed;
  });

  it("stops reading a body that drips for ever at its time", async () => {
    const response = await open()(get("/dripping"));
    await expect(readText(response, undefined, 40)).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("did not end within 0.04 s") });
    await upstreamClosed;
  });

  it("refuses headers that are too large", async () => {
    await expect(open()(get("/headers"))).rejects.toThrow("headers that are too large");
  });

  it("aborts before the answer and in the middle of it", async () => {
    const before = AbortSignal.abort(new Error("gone"));
    await expect(open()(get("/echo", { signal: before }))).rejects.toThrow("gone");
    const controller = new AbortController();
    const response = await open()(get("/stream", { signal: controller.signal }));
    const read = (async () => {
      for await (const chunk of response.body) if (chunk.length > 0) controller.abort(new Error("tab closed"));
    })();
    await expect(read).rejects.toThrow("tab closed");
    await upstreamClosed;
  });

  it("names what is wrong when nothing answers", async () => {
    const gone = await startTlsServer(() => undefined);
    await gone.close();
    await expect(open({ origin: gone.origin })(get("/echo"))).rejects.toThrow("refused the connection");
    await expect(open({ origin: "https://does-not-exist.invalid" })(get("/echo"))).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("origins that are refused", () => {
  it.each([
    ["ftp://host", "https://"],
    ["not a url", "not a URL"],
    ["http://cluster.example", "plain http"],
    ["https://user:pass@cluster.example", "user name"],
    ["https://cluster.example:22", "Port 22"],
  ])("%s", (origin, message) => {
    expect(() => createSend({ origin, allowLoopback: true })).toThrow(message);
  });

  it("sends no token over plain http beyond loopback", () => {
    expect(() => createSend({ origin: "http://engine.ocr.svc:8000", allowHttp: true, allowLoopback: false })).not.toThrow();
    expect(() => createSend({ origin: "http://engine.ocr.svc:8000", allowHttp: true, token: "t", allowLoopback: false })).toThrow(
      "A token is not sent",
    );
  });

  it.each([
    "https://localhost",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.1",
    "https://0177.0.0.1",
    "https://[::ffff:127.0.0.1]",
    "https://0x7f000001",
    "https://127.0.0.1.",
    "https://[::ffff:7f00:1]",
    "https://[64:ff9b::7f00:1]",
    "https://[64:ff9b::a9fe:a9fe]",
    "https://[::1]",
    "https://169.254.169.254",
    "https://0.0.0.0",
  ])("%s", async (origin) => {
    const port = server.port;
    await expect(createSend({ origin: `${origin}:${port}`, allowLoopback: false })(get("/echo"))).rejects.toBeInstanceOf(DomainError);
    await expect(createSend({ origin: `${origin}:${port}`, allowLoopback: false })(get("/echo"))).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("names (E1)", () => {
  /** Answers each look-up with the next list, as a name server that is not to be trusted does. */
  const answering = (...lists: string[][]) => {
    let asked = 0;
    const resolve: Resolve = (_, __, callback) => callback(null, (lists[Math.min(asked++, lists.length - 1)] ?? []).map((address) => ({ address, family: 4 })));
    return { resolve, asked: () => asked };
  };
  const named = (resolve: Resolve, allowLoopback = false) => createSend({ origin: server.origin, caPem: server.caPem, allowLoopback, resolve })(get("/echo"));

  it.each([
    ["that leads to this machine", ["127.0.0.1"]],
    ["that leads to a metadata address", ["169.254.169.254"]],
    ["of which one address of several does", ["8.8.8.8", "127.0.0.1"]],
    ["of which one address is private", ["8.8.8.8", "10.0.0.1"]],
  ])("a name %s is refused, and nothing is sent anywhere", async (_what, addresses) => {
    const before = server.connections();
    await expect(named(answering(addresses).resolve)).rejects.toMatchObject({ code: "forbidden" });
    expect(server.connections()).toBe(before);
  });

  it("is asked once for a connection, which goes to the very address that was checked: a second answer comes too late", async () => {
    const names = answering(["127.0.0.1"], ["169.254.169.254"]);
    const response = await named(names.resolve, true);
    response.cancel();
    expect([response.status, names.asked()]).toEqual([200, 1]);
    const rebound = answering(["8.8.8.8"], ["127.0.0.1"]);
    const looked = await new Promise((done) => checkedLookup({ allowLoopback: false, allowPrivate: [] }, rebound.resolve)("rebound.example", {}, (error, address) => done(error ?? address)));
    expect([looked, rebound.asked()]).toEqual(["8.8.8.8", 1]);
  });
});
