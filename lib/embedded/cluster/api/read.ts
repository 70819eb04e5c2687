import "server-only";
import { isObject, numberAt, parseJson, textAt, type JsonObject } from "../json";
import { nameOf, namespaceOf, type KubeObject } from "../object";
import type { ApiContext } from "./context";
import { parseFieldSelector, parseLabelSelector, type ObjectFilter } from "./selectors";
import { badRequest, gone } from "./status";
import type { Reply, ResourceRequest } from "./request";
import { toTable, wantsTable } from "./table";

export function filterOf({ query, resource }: Pick<ResourceRequest, "query" | "resource">): ObjectFilter {
  const byLabel = parseLabelSelector(query.get("labelSelector") ?? "");
  const byField = parseFieldSelector(query.get("fieldSelector") ?? "", resource.kind);
  return (object) => byLabel(object) && byField(object);
}

/** An object under the version of the endpoint that was asked: events are served by two groups. */
export function present(object: KubeObject, resource: ResourceRequest["resource"]): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return { kind: resource.kind, apiVersion: resource.groupVersion, ...rest };
}

export function getObject(context: ApiContext, request: ResourceRequest): Reply {
  const { target, resource } = request;
  const object = context.registry.need(resource, target.namespace, target.name);
  if (wantsTable(request.headers.accept)) return { status: 200, body: toTable(context, request, [object]) };
  return { status: 200, body: present(object, resource) };
}

type Position = { version: number; start: string };

function keyOf(object: KubeObject, namespace: string): string {
  return namespace === "" && namespaceOf(object) !== "" ? `/${namespaceOf(object)}/${nameOf(object)}` : `/${nameOf(object)}`;
}

function writePosition({ version, start }: Position): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: version, start: `${start}\u0000` })).toString("base64url");
}

function readPosition(token: string, oldest: number): Position {
  const text = Buffer.from(token, "base64url").toString("utf8");
  const parsed = parseJson(text);
  const start = textAt(parsed, "start");
  const version = numberAt(parsed, "rv");
  if (!isObject(parsed) || start === undefined || version === undefined) {
    throw badRequest(
      `invalid continue token: continue key is not valid: invalid character '${text.charAt(0)}' looking for beginning of value`,
    );
  }
  if (version < oldest) {
    throw gone(
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
    );
  }
  return { version, start: start.replace("\u0000", "") };
}

export function listObjects(context: ApiContext, request: ResourceRequest): Reply {
  const { query, resource, target } = request;
  const { store } = context;
  const filter = filterOf(request);
  const token = query.get("continue") ?? "";
  const position = token === "" ? undefined : readPosition(token, store.compactedVersion);
  const limit = Number(query.get("limit") ?? 0);
  const all = store.list(resource.id, target.namespace).filter(filter);
  const left = position ? all.filter((object) => keyOf(object, target.namespace) > position.start) : all;
  const page = limit > 0 ? left.slice(0, limit) : left;
  const version = position?.version ?? store.version;
  const metadata: JsonObject = { resourceVersion: String(version) };
  const last = page.at(-1);
  if (page.length < left.length && last) {
    metadata.continue = writePosition({ version, start: keyOf(last, target.namespace) });
    if (!query.has("labelSelector") && !query.has("fieldSelector")) metadata.remainingItemCount = left.length - page.length;
  }
  if (wantsTable(request.headers.accept)) return { status: 200, body: { ...toTable(context, request, page), metadata } };
  const head = JSON.stringify({ kind: `${resource.kind}List`, apiVersion: resource.groupVersion, metadata });
  return { status: 200, body: `${head.slice(0, -1)},"items":[${page.map(itemText).join(",")}]}\n` };
}

const itemTexts = new WeakMap<KubeObject, string>();

/** An object as a list carries it. Stored objects are never changed in place, so each version is written once, however often it is listed. */
function itemText(object: KubeObject): string {
  const known = itemTexts.get(object);
  if (known !== undefined) return known;
  const { apiVersion: _apiVersion, kind: _kind, ...item } = object;
  const text = JSON.stringify(item);
  itemTexts.set(object, text);
  return text;
}
