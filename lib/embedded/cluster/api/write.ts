import "server-only";
import { isObject, put, textAt, type Json, type JsonObject } from "../json";
import type { KubeObject } from "../object";
import { deleteObject, deletionStatus, type DeleteOptions } from "../registry/deletion";
import { jsonPatch, mergePatch, strategicMergePatch } from "../registry/patches";
import type { WriteOptions } from "../registry/registry";
import { rootSchema } from "../schema/schema";
import { checkKind, decodeConfiguration, decodeObject, parseBody, readBody } from "./body";
import type { ApiContext } from "./context";
import { filterOf, present } from "./read";
import type { Reply, ResourceRequest } from "./request";
import { badRequest, StatusError, unsupportedMediaType } from "./status";

const APPLY = "application/apply-patch+yaml";

export function contentTypeOf(request: ResourceRequest): string {
  return (request.headers["content-type"] ?? "application/json").split(";")[0]?.trim() ?? "";
}

function patchOptionsError(field: string, reason: string, message: string): StatusError {
  const details = { group: "meta.k8s.io", kind: "PatchOptions", causes: [{ reason, message, field }] };
  return new StatusError(422, "Invalid", { message: `PatchOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, details });
}

/** Who writes (named, or the first word of the user agent) and whether it is a dry run. */
export function writeOptions(request: ResourceRequest): WriteOptions {
  const dryRun = request.query.get("dryRun");
  if (dryRun !== null && dryRun !== "All") throw badRequest(`dryRun: Unsupported value: "${dryRun}": supported values: "All"`);
  const agent = (request.headers["user-agent"] ?? "").split("/")[0] ?? "";
  const manager = request.query.get("fieldManager") ?? (agent === "" ? "unknown" : agent);
  const options: WriteOptions = { manager, dryRun: dryRun === "All" };
  if (request.target.subresource === "status") options.subresource = "status";
  return options;
}

function validationOf(request: ResourceRequest): string {
  return request.query.get("fieldValidation") ?? "Warn";
}

function reply(status: number, object: JsonObject, warnings: string[] = []): Reply {
  const headers =
    warnings.length > 0 ? { warning: warnings.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`).join(", ") } : undefined;
  return headers ? { status, body: object, headers } : { status, body: object };
}

/** The name and namespace of the path are the object's; a body that says otherwise is refused. */
function place(request: ResourceRequest, object: JsonObject): void {
  const { namespace, name } = request.target;
  const bodyName = textAt(object, "metadata", "name");
  const bodyNamespace = textAt(object, "metadata", "namespace");
  if (name !== "" && bodyName !== undefined && bodyName !== name) {
    throw badRequest(`the name of the object (${bodyName}) does not match the name on the URL (${name})`);
  }
  if (namespace !== "" && bodyNamespace !== undefined && bodyNamespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (name !== "") put(object, ["metadata", "name"], name);
  if (namespace !== "") put(object, ["metadata", "namespace"], namespace);
  else if (!request.resource.namespaced) put(object, ["metadata", "namespace"], undefined);
}

async function bodyOf(request: ResourceRequest): Promise<{ object: JsonObject; warnings: string[] }> {
  const contentType = contentTypeOf(request);
  if (!/^application\/(json|yaml)$/.test(contentType)) {
    throw unsupportedMediaType(
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml",
    );
  }
  const body = parseBody(await readBody(request.incoming), contentType, request.resource.kind);
  checkKind(request.resource, body);
  const decoded = decodeObject(request.resource, body, validationOf(request));
  place(request, decoded.object);
  return decoded;
}

export async function createObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const { object, warnings } = await bodyOf(request);
  return reply(201, present(context.registry.create(request.resource, object, writeOptions(request)), request.resource), warnings);
}

export async function replaceObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const { object, warnings } = await bodyOf(request);
  return reply(200, present(context.registry.update(request.resource, object, writeOptions(request)), request.resource), warnings);
}

export async function patchObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const contentType = contentTypeOf(request);
  if (contentType === APPLY || contentType === "application/apply-patch+json") return applyObject(context, request);
  const live = (): KubeObject => context.registry.need(request.resource, request.target.namespace, request.target.name);
  const text = await readBody(request.incoming);
  const patched = patchDocument(request, live, { text, contentType });
  if (request.query.get("force") === "true")
    throw patchOptionsError("force", "FieldValueForbidden", "Forbidden: may not be specified for non-apply patch");
  const { object, warnings } = decodeObject(request.resource, patched, validationOf(request));
  place(request, object);
  return reply(200, present(context.registry.update(request.resource, object, writeOptions(request)), request.resource), warnings);
}

/** The live document with a patch of the given content type carried out on it. */
export function patchDocument(
  request: ResourceRequest,
  live: () => JsonObject,
  { text, contentType }: { text: string; contentType: string },
): JsonObject {
  const asObject = (value: Json): JsonObject => (isObject(value) ? value : {});
  switch (contentType) {
    case "application/merge-patch+json":
      return asObject(mergePatch(live(), parseBody(text, contentType, request.resource.kind)));
    case "application/strategic-merge-patch+json":
      return asObject(strategicMergePatch(live(), parseBody(text, contentType, request.resource.kind), rootSchema(request.resource)));
    case "application/json-patch+json": {
      const operations: Json = JSON.parse(text);
      return jsonPatch(live(), operations);
    }
    default:
      throw unsupportedMediaType();
  }
}

async function applyObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const options = writeOptions(request);
  if ((request.query.get("fieldManager") ?? "") === "") {
    throw patchOptionsError("fieldManager", "FieldValueRequired", "Required value: is required for apply patch");
  }
  const body = parseBody(await readBody(request.incoming), APPLY, request.resource.kind);
  checkKind(request.resource, body);
  if (isObject(body.metadata) && Array.isArray(body.metadata.managedFields)) throw badRequest("metadata.managedFields must be nil");
  place(request, body);
  const configuration = decodeConfiguration(request.resource, body);
  const force = request.query.get("force") === "true";
  const { object, isNew } = context.registry.apply(request.resource, configuration, { ...options, force });
  return reply(isNew ? 201 : 200, present(object, request.resource));
}

async function deleteOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const text = await readBody(request.incoming);
  const body = text.trim() === "" ? {} : parseBody(text, contentTypeOf(request), "DeleteOptions");
  const propagation =
    request.query.get("propagationPolicy") ?? textAt(body, "propagationPolicy") ?? (body.orphanDependents === true ? "Orphan" : undefined);
  const grace = request.query.get("gracePeriodSeconds") ?? body.gracePeriodSeconds;
  const dryRun = request.query.get("dryRun") ?? (Array.isArray(body.dryRun) ? body.dryRun[0] : undefined);
  const options: DeleteOptions = { dryRun: dryRun === "All" };
  if (propagation === "Orphan" || propagation === "Background" || propagation === "Foreground") options.propagation = propagation;
  if (typeof grace === "string" || typeof grace === "number") options.graceSeconds = Number(grace);
  const uid = textAt(body, "preconditions", "uid");
  const resourceVersion = textAt(body, "preconditions", "resourceVersion");
  return { ...options, ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

export async function removeObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const options = await deleteOptions(request);
  const object = context.registry.need(request.resource, request.target.namespace, request.target.name);
  const { object: last, isGone } = deleteObject(context.registry, request.resource, { ...options, object });
  return reply(200, isGone && last.kind !== "Pod" ? deletionStatus(request.resource, last) : present(last, request.resource));
}

export async function removeCollection(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const options = await deleteOptions(request);
  const { resource, target } = request;
  const chosen = context.store.list(resource.id, target.namespace).filter(filterOf(request));
  for (const object of chosen) deleteObject(context.registry, resource, { ...options, object });
  const items = chosen.map(({ apiVersion: _apiVersion, kind: _kind, ...item }) => item);
  const metadata = { resourceVersion: String(context.store.version) };
  return reply(200, { kind: `${resource.kind}List`, apiVersion: resource.groupVersion, metadata, items });
}
