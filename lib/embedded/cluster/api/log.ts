import "server-only";
import type { LogLine } from "../agent/log-book";
import { listAt, textAt, type Json } from "../json";
import { nameOf, uidOf, type KubeObject } from "../object";
import type { ApiContext } from "./context";
import type { Reply, ResourceRequest } from "./request";
import { badRequest } from "./status";

function chooseContainer(pod: KubeObject, wanted: string | null): string {
  const names = listAt(pod, "spec", "containers").map((container) => textAt(container, "name") ?? "");
  const initial = listAt(pod, "spec", "initContainers").map((container) => textAt(container, "name") ?? "");
  if (wanted !== null && wanted !== "") {
    if ([...names, ...initial].includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${nameOf(pod)}`);
  }
  if (names.length === 1) return names[0] ?? "";
  throw badRequest(`a container name must be specified for pod ${nameOf(pod)}, choose one of: [${[...initial, ...names].join(" ")}]`);
}

function statusOf(pod: KubeObject, container: string): Json | undefined {
  const statuses = [...listAt(pod, "status", "containerStatuses"), ...listAt(pod, "status", "initContainerStatuses")];
  return statuses.find((status) => textAt(status, "name") === container);
}

/** What the query keeps of a log: since when, how many lines, how many bytes. */
function select(lines: LogLine[], query: URLSearchParams, now: number): LogLine[] {
  const since = query.get("sinceTime");
  const seconds = query.get("sinceSeconds");
  const from = since !== null ? Date.parse(since) : seconds !== null ? now - Number(seconds) * 1000 : 0;
  const recent = lines.filter((line) => line.time >= from);
  const tail = query.get("tailLines");
  return tail === null ? recent : recent.slice(Math.max(0, recent.length - Number(tail)));
}

function print({ time, text }: LogLine, query: URLSearchParams): string {
  const stamp = query.get("timestamps") === "true" ? `${new Date(time).toISOString().replace("Z", "000000Z")} ` : "";
  return `${stamp}${text}\n`;
}

/** The log of a container; with `follow` the answer stays open until the container ends or the client leaves. */
export function readLog(context: ApiContext, request: ResourceRequest): Reply | undefined {
  const { query, target, response } = request;
  const pod = context.registry.need(request.resource, target.namespace, target.name);
  const container = chooseContainer(pod, query.get("container"));
  const uid = uidOf(pod);
  if (query.get("previous") === "true") return printAll(previousLog(context, pod, container), query);
  const waiting = textAt(statusOf(pod, container), "state", "waiting", "reason");
  const lines = context.logs.read(uid, container);
  if (lines.length === 0 && (waiting !== undefined || statusOf(pod, container) === undefined)) {
    throw badRequest(`container "${container}" in pod "${nameOf(pod)}" is waiting to start: ${waiting ?? "ContainerCreating"}`);
  }
  const chosen = select(lines, query, context.registry.context.clock.now());
  if (query.get("follow") !== "true") return printAll(chosen, query);
  response.writeHead(200, { "content-type": "text/plain" });
  for (const line of chosen) response.write(print(line, query));
  const isRunning = textAt(statusOf(pod, container), "state", "running", "startedAt") !== undefined;
  if (!isRunning) {
    response.end();
    return undefined;
  }
  response.flushHeaders();
  const leave = context.logs.follow(uid, container, (line) => (line ? response.write(print(line, query)) : response.end()));
  const end = (): void => void response.end();
  context.stopping.addEventListener("abort", end);
  response.on("close", () => {
    leave();
    context.stopping.removeEventListener("abort", end);
  });
  return undefined;
}

function previousLog(context: ApiContext, pod: KubeObject, container: string): LogLine[] {
  const lines = context.logs.previous(uidOf(pod), container);
  if (lines) return lines;
  throw badRequest(`previous terminated container "${container}" in pod "${nameOf(pod)}" not found`);
}

function printAll(lines: LogLine[], query: URLSearchParams): Reply {
  const text = lines.map((line) => print(line, query)).join("");
  const limit = query.get("limitBytes");
  return { status: 200, body: limit === null ? text : text.slice(0, Number(limit)), contentType: "text/plain" };
}
