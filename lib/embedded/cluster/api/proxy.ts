import "server-only";
import http from "node:http";
import { listAt, numberAt, objectAt, textAt, type JsonObject } from "../json";
import { isDeleting, labelsOf, nameOf, uidOf, type KubeObject } from "../object";
import { needResource } from "../data/resources";
import { isPodReady } from "../agent/pod-status";
import { servedModel } from "../agent/served-model";
import type { ApiContext } from "./context";
import { countAnswer, podMetrics } from "./pod-metrics";
import type { ResourceRequest } from "./request";
import { notFound, unavailable } from "./status";
import { matchesMap } from "./selectors";

/** `[scheme:]name[:port]`, as the proxy paths spell it. */
function parseReference(text: string): { name: string; port: string } {
  const parts = text.split(":");
  if (parts.length === 3) return { name: parts[1] ?? "", port: parts[2] ?? "" };
  if (parts.length === 2) return { name: parts[0] ?? "", port: parts[1] ?? "" };
  return { name: text, port: "" };
}

function podOfService(context: ApiContext, namespace: string, reference: string): KubeObject {
  const { name, port } = parseReference(reference);
  const service = context.store.get("/services", namespace, name);
  if (!service) throw notFound(needResource("/services"), name);
  const ports = listAt(service, "spec", "ports");
  const isKnown = (entry: (typeof ports)[number]): boolean => textAt(entry, "name") === port || String(numberAt(entry, "port")) === port;
  if (port !== "" && !ports.some(isKnown))
    throw unavailable(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`);
  const selector = objectAt(service, "spec", "selector");
  const ready = context.store
    .list("/pods", namespace)
    .filter((pod) => matchesMap(selector, labelsOf(pod)) && isPodReady(pod) && !isDeleting(pod));
  const chosen = ready[Math.floor(Math.random() * ready.length)];
  if (!chosen) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return chosen;
}

function podByName(context: ApiContext, namespace: string, reference: string): KubeObject {
  const { name, port } = parseReference(reference);
  const pod = context.store.get("/pods", namespace, name);
  if (!pod) throw notFound(needResource("/pods"), name);
  if (isPodReady(pod) && !isDeleting(pod)) return pod;
  const address = `${textAt(pod, "status", "podIP") ?? ""}:${port === "" ? "80" : port}`;
  throw unavailable(`error trying to reach service: dial tcp ${address}: connect: connection refused`);
}

/** A request through the API server to what a ready pod serves. */
export function proxyRequest(context: ApiContext, request: ResourceRequest): void {
  const { target } = request;
  const pod =
    request.resource.plural === "services"
      ? podOfService(context, target.namespace, target.name)
      : podByName(context, target.namespace, target.name);
  const path = `/${target.rest}`;
  if (request.method === "GET" && path === "/health") return answer(context, request, { pod, path, body: "" });
  if (request.method === "GET" && path === "/v1/models")
    return answer(context, request, { pod, path, body: JSON.stringify(modelList(pod)) });
  if (request.method === "GET" && path === "/metrics") return answer(context, request, { pod, path, body: podMetrics(uidOf(pod), servedModel(pod).name) });
  forward(context, request, { pod, path });
}

function modelList(pod: KubeObject): JsonObject {
  const { name, root, maxLength } = servedModel(pod);
  const created = Math.floor(Date.parse(textAt(pod, "status", "startTime") ?? "") / 1000);
  return { object: "list", data: [{ id: name, object: "model", created, owned_by: "vllm", root, parent: null, max_model_len: maxLength }] };
}

type Exchange = { pod: KubeObject; path: string };

function answer(context: ApiContext, request: ResourceRequest, { pod, path, body }: Exchange & { body: string }): void {
  logAccess(context, request, { pod, path, status: 200 });
  request.incoming.resume();
  request.response.writeHead(200, body === "" ? { "content-length": "0" } : { "content-type": path === "/metrics" ? "text/plain; version=0.0.4" : "application/json" });
  request.response.end(body);
}

/** The access line that vLLM's web server writes: method, path and status, never content. */
function logAccess(context: ApiContext, request: ResourceRequest, { pod, path, status }: Exchange & { status: number }): void {
  const container = textAt(listAt(pod, "spec", "containers")[0], "name") ?? "";
  const outcome = `${status} ${http.STATUS_CODES[status] ?? ""}`;
  const text = `(APIServer pid=1) INFO:     127.0.0.1:0 - "${request.method} ${path} HTTP/1.1" ${outcome}`;
  context.logs.append(uidOf(pod), container, { time: context.registry.context.clock.now(), text });
}

/** Headers that belong to one hop, or to the API server alone. */
const dropped = new Set([
  "host",
  "connection",
  "authorization",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "proxy-authorization",
  "te",
  "trailer",
]);

function forward(context: ApiContext, request: ResourceRequest, exchange: Exchange): void {
  const { incoming, response, query } = request;
  const search = query.size > 0 ? `?${query}` : "";
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !dropped.has(name)));
  const upstream = http.request(
    new URL(`${exchange.path}${search}`, context.engineUrl),
    { method: request.method, headers },
    (answered) => {
      const status = answered.statusCode ?? 502;
      logAccess(context, request, { ...exchange, status });
      if (exchange.path === "/v1/chat/completions" && status === 200) countAnswer(uidOf(exchange.pod));
      response.writeHead(status, Object.fromEntries(Object.entries(answered.headers).filter(([name]) => !dropped.has(name))));
      response.flushHeaders();
      answered.pipe(response);
      answered.on("error", () => response.destroy());
    },
  );
  upstream.on("error", () => {
    if (response.headersSent) return void response.destroy();
    const failure = unavailable(`error trying to reach service: the engine behind pod ${nameOf(exchange.pod)} does not answer`);
    response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify(failure.toStatus()));
  });
  response.on("close", () => {
    upstream.destroy();
    // An answer that came before the whole body was read: what is left of it would stand before the connection's next request for ever.
    incoming.unpipe(upstream).resume();
  });
  incoming.pipe(upstream);
}
