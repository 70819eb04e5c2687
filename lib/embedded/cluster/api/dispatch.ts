import "server-only";
import { timestamp } from "../clock";
import { answerReview } from "../access/reviews";
import { qualifiedName } from "../data/resources";
import { parseBody, readBody } from "./body";
import type { ApiContext } from "./context";
import { answerDiscovery, pageNotFound } from "./discovery";
import { readLog } from "./log";
import { answerOpenApi } from "./openapi";
import { proxyRequest } from "./proxy";
import { getObject, listObjects } from "./read";
import { parseTarget, type ApiRequest, type Reply, type ResourceRequest, type Target } from "./request";
import { badRequest, methodNotAllowed, noSuchResource, StatusError, unsupportedMediaType } from "./status";
import { bindPod, evictPod, finalizeNamespace, requestToken, scaleObject } from "./subresources";
import { watchObjects } from "./watch";
import { contentTypeOf, createObject, patchObject, removeCollection, removeObject, replaceObject } from "./write";

type Answer = Reply | undefined | Promise<Reply | undefined>;
type Handler = (context: ApiContext, request: ResourceRequest) => Answer;

const verbs: Record<string, Handler> = {
  get: getObject,
  list: listObjects,
  watch: (context, request) => void watchObjects(context, request),
  create: createObject,
  update: replaceObject,
  patch: patchObject,
  delete: removeObject,
  deletecollection: removeCollection,
};

const subresources: Record<string, Handler> = {
  "pods/log": readLog,
  "pods/binding": bindPod,
  "pods/eviction": evictPod,
  "pods/proxy": (context, request) => void proxyRequest(context, request),
  "services/proxy": (context, request) => void proxyRequest(context, request),
  "serviceaccounts/token": requestToken,
  "namespaces/finalize": finalizeNamespace,
};

/** Routes an authenticated request: may the user, does it exist, who answers. */
export function dispatch(context: ApiContext, request: ApiRequest): Answer {
  const target = parseTarget(request.method, request.path, request.query);
  if (!target) return answerPath(context, request);
  authorize(context, request, target);
  const { resource } = target;
  if (!resource) throw noSuchResource();
  const typed: ResourceRequest = { ...request, target, resource };
  if (target.subresource !== "") return answerSubresource(context, typed);
  if (!resource.verbs.includes(target.verb)) throw methodNotAllowed();
  if (resource.verbs.length === 1) return review(context, typed);
  const needsName = target.verb === "update" || target.verb === "patch";
  if ((target.verb === "create" && target.name !== "") || (needsName && target.name === "")) throw methodNotAllowed();
  return verbs[target.verb]?.(context, typed);
}

function answerPath(context: ApiContext, request: ApiRequest): Reply {
  const verb = request.method === "HEAD" ? "get" : request.method.toLowerCase();
  if (!context.rbac.decidePath(request.user, request.path, verb).allowed) {
    throw new StatusError(403, "Forbidden", {
      message: `forbidden: User ${JSON.stringify(request.user.name)} cannot ${verb} path ${JSON.stringify(request.path)}`,
      details: {},
    });
  }
  return answerDiscovery(request.path, request.headers.accept ?? "", context.address()) ?? answerOpenApi(request.path) ?? pageNotFound;
}

function authorize(context: ApiContext, { user }: ApiRequest, target: Target): void {
  const [version = "", group = ""] = target.groupVersion.split("/").reverse();
  const { verb, subresource, name } = target;
  // A namespace's own name counts as its namespace, so that a namespace administrator may read it.
  const namespace = target.plural === "namespaces" && version === "v1" ? name : target.namespace;
  if (context.rbac.decide(user, { verb, group, resource: target.plural, subresource, namespace, name }).allowed) return;
  const where = target.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(target.namespace)}`;
  const what = subresource === "" ? target.plural : `${target.plural}/${subresource}`;
  const why = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
  const qualified = group === "" ? target.plural : `${target.plural}.${group}`;
  const details = { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: target.plural };
  throw new StatusError(403, "Forbidden", {
    message: `${qualified}${name === "" ? "" : ` ${JSON.stringify(name)}`} is forbidden: ${why}`,
    details,
  });
}

function answerSubresource(context: ApiContext, request: ResourceRequest): Answer {
  const { resource, target } = request;
  if (!resource.subresources.includes(target.subresource)) throw noSuchResource();
  const special = subresources[`${resource.plural}/${target.subresource}`];
  if (special) return special(context, request);
  if (target.subresource === "scale") return scaleObject(context, request);
  if (target.subresource !== "status") throw badRequest(`the sandbox does not serve ${qualifiedName(resource)}/${target.subresource}`);
  if (!["get", "update", "patch"].includes(target.verb)) throw methodNotAllowed();
  return verbs[target.verb]?.(context, request);
}

/** Reviews and the like: created, answered, never stored. */
async function review(context: ApiContext, request: ResourceRequest): Promise<Reply> {
  if (!/^application\/(json|yaml)$/.test(contentTypeOf(request))) throw unsupportedMediaType();
  const text = await readBody(request.incoming);
  const body = {
    apiVersion: request.resource.groupVersion,
    kind: request.resource.kind,
    ...parseBody(text, contentTypeOf(request), request.resource.kind),
  };
  const answered = answerReview(request.resource.plural, {
    body,
    user: request.user,
    rbac: context.rbac,
    time: timestamp(context.registry.context.clock.now()),
  });
  if (!answered) throw methodNotAllowed();
  return { status: 201, body: answered };
}
