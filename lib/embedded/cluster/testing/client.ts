import "server-only";
import https from "node:https";
import { parse } from "yaml";
import { parseJson, textAt, type Json, type JsonObject } from "../json";

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Json; text: string };
export type Send = { method?: string; path: string; body?: Json; contentType?: string; token?: string | null; accept?: string };
export type Stream = { lines: AsyncGenerator<Json>; close(): void };

/** A plain HTTPS client that trusts the kubeconfig's CA and sends its token. */
export class TestClient {
  private readonly agent: https.Agent;
  private readonly url: string;
  private readonly token: string;

  constructor(kubeconfig: string) {
    const config: { clusters: { cluster: Record<string, string> }[]; users: { user: { token: string } }[] } = parse(kubeconfig);
    const cluster = config.clusters[0]?.cluster ?? {};
    this.url = cluster.server ?? "";
    this.token = config.users[0]?.user.token ?? "";
    this.agent = new https.Agent({ ca: Buffer.from(cluster["certificate-authority-data"] ?? "", "base64"), keepAlive: true });
  }

  send(request: Send): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = this.open(request, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parseJson(text) ?? text, text });
        });
      });
      outgoing.on("error", reject);
    });
  }

  async get(path: string): Promise<Json> {
    return (await this.send({ path })).body;
  }

  apply(path: string, body: JsonObject, query = "fieldManager=test"): Promise<Answer> {
    return this.send({ method: "PATCH", path: `${path}?${query}`, body, contentType: "application/apply-patch+yaml" });
  }

  /** The JSON lines of a watch, as they come. */
  watch(path: string): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const outgoing = this.open({ path }, (incoming) => {
        async function* lines(): AsyncGenerator<Json> {
          let rest = "";
          try {
            for await (const chunk of incoming) {
              rest += String(chunk);
              const parts = rest.split("\n");
              rest = parts.pop() ?? "";
              for (const part of parts) yield parseJson(part) ?? part;
            }
          } catch {
            // The test closed the stream.
          }
        }
        resolve({ lines: lines(), close: () => outgoing.destroy() });
      });
      outgoing.on("error", reject);
    });
  }

  /** Waits, by watching, until the object satisfies the test; resolves with it. */
  async until(collection: string, name: string, isReached: (object: Json) => boolean): Promise<Json> {
    const stream = await this.watch(`${collection}?watch=1&fieldSelector=metadata.name%3D${name}`);
    try {
      for await (const event of stream.lines) {
        const object = typeof event === "object" && event !== null && !Array.isArray(event) ? (event.object ?? null) : null;
        if (textAt(event, "type") !== "DELETED" && isReached(object)) return object;
      }
    } finally {
      stream.close();
    }
    throw new Error(`The watch of ${collection}/${name} ended before the state was reached.`);
  }

  private open(
    { method = "GET", path, body, contentType, token, accept }: Send,
    onAnswer: Parameters<typeof https.request>[2],
  ): ReturnType<typeof https.request> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = {};
    if (text !== undefined) {
      headers["content-type"] = contentType ?? "application/json";
      headers["content-length"] = String(Buffer.byteLength(text));
    }
    if (accept !== undefined) headers.accept = accept;
    if (token !== null) headers.authorization = `Bearer ${token ?? this.token}`;
    const outgoing = https.request(`${this.url}${path}`, { method, headers, agent: this.agent }, onAnswer);
    outgoing.end(text);
    return outgoing;
  }
}
