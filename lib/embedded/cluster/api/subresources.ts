import "server-only";
import { isObject, numberAt, objectAt, put, textAt, textMap, type JsonObject } from "../json";
import { nameOf, namespaceOf, type KubeObject } from "../object";
import { deleteObject } from "../registry/deletion";
import { timestamp } from "../clock";
import { needResource } from "../data/resources";
import { parseBody, readBody } from "./body";
import type { ApiContext } from "./context";
import type { Reply, ResourceRequest } from "./request";
import { badRequest, invalid, StatusError } from "./status";
import { contentTypeOf, patchDocument, writeOptions } from "./write";

function toScale(object: KubeObject): JsonObject {
  const { name, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = numberAt(object, "spec", "replicas") ?? 0;
  const selector = Object.entries(textMap(object, "spec", "selector", "matchLabels")).map(([key, value]) => `${key}=${value}`);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace: namespaceOf(object), uid, resourceVersion, creationTimestamp },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: numberAt(object, "status", "replicas") ?? 0, selector: selector.join(",") },
  };
}

export async function scaleObject(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const { resource, target } = request;
  const live = context.registry.need(resource, target.namespace, target.name);
  if (target.verb === "get") return { status: 200, body: toScale(live) };
  const text = await readBody(request.incoming);
  const wanted =
    target.verb === "update"
      ? parseBody(text, "", "Scale")
      : patchDocument(request, () => toScale(live), { text, contentType: contentTypeOf(request) });
  const version = textAt(wanted, "metadata", "resourceVersion");
  if (version !== undefined && version !== live.metadata.resourceVersion)
    throw new StatusError(409, "Conflict", { message: "the object has been modified" });
  const replicas = numberAt(wanted, "spec", "replicas") ?? 0;
  if (replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
    throw invalid({ ...resource, kind: "Scale", group: "autoscaling" }, target.name, [
      { reason: "FieldValueInvalid", message, field: "spec.replicas" },
    ]);
  }
  return { status: 200, body: toScale(context.registry.setScale(resource, { live, replicas }, writeOptions(request))) };
}

/** TokenRequest for a service account. */
export async function requestToken(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const { namespace, name } = request.target;
  context.registry.need(request.resource, namespace, name);
  const text = await readBody(request.incoming);
  const body = text.trim() === "" ? {} : parseBody(text, contentTypeOf(request), "TokenRequest");
  const seconds = numberAt(body, "spec", "expirationSeconds") ?? 3600;
  if (seconds < 600) throw badRequest("spec.expirationSeconds: Invalid value: may not specify a duration less than 10 minutes");
  const { token, expiresAt } = context.tokens.issue({ namespace, name, seconds });
  const spec = { audiences: ["https://kubernetes.default.svc.cluster.local"], ...objectAt(body, "spec"), expirationSeconds: seconds };
  const metadata = { name, namespace, creationTimestamp: timestamp(Date.now()) };
  return {
    status: 201,
    body: {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata,
      spec,
      status: { token, expirationTimestamp: timestamp(expiresAt) },
    },
  };
}

/** Binding a pod to a node by hand, as a scheduler of one's own would. */
export async function bindPod(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const pod = context.registry.need(request.resource, request.target.namespace, request.target.name);
  const body = parseBody(await readBody(request.incoming), contentTypeOf(request), "Binding");
  const node = textAt(body, "target", "name");
  if (node === undefined) throw badRequest("target.name: Required value");
  if (textAt(pod, "spec", "nodeName") !== undefined)
    throw new StatusError(409, "Conflict", {
      message: `Operation cannot be fulfilled on pods/binding "${nameOf(pod)}": pod is already assigned to node`,
    });
  context.registry.modify(pod, (draft) => put(draft, ["spec", "nodeName"], node), { manager: "unknown", subresource: "status" });
  return { status: 201, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
}

/** Eviction: a delete that respects disruption budgets. */
export async function evictPod(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  await readBody(request.incoming);
  const pod = context.registry.need(request.resource, request.target.namespace, request.target.name);
  const blocking = context.store.list("policy/poddisruptionbudgets", namespaceOf(pod)).find((budget) => {
    const labels = textMap(budget, "spec", "selector", "matchLabels");
    const own = objectAt(pod, "metadata", "labels");
    return (
      Object.entries(labels).every(([key, value]) => own[key] === value) && (numberAt(budget, "status", "disruptionsAllowed") ?? 0) < 1
    );
  });
  if (blocking)
    throw new StatusError(429, "TooManyRequests", { message: "Cannot evict pod as it would violate the pod's disruption budget." });
  deleteObject(context.registry, needResource("/pods"), { object: pod });
  return { status: 201, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
}

/** The last finalizer of a namespace may be taken off by hand. */
export async function finalizeNamespace(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  const namespace = context.registry.need(request.resource, "", request.target.name);
  const body = parseBody(await readBody(request.incoming), contentTypeOf(request), "Namespace");
  const finalizers = isObject(body.spec) ? body.spec.finalizers : [];
  const changed = context.registry.modify(namespace, (draft) => put(draft, ["spec", "finalizers"], finalizers ?? []), {
    manager: "unknown",
  });
  return { status: 200, body: changed };
}
