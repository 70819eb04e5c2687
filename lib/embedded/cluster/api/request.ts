import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { User } from "../access/user";
import { findResource, groupVersions, type Resource } from "../data/resources";
import type { JsonObject } from "../json";

/** What a path asks for. `resource` is undefined when the group is served but the plural is not. */
export type Target = {
  groupVersion: string;
  plural: string;
  resource: Resource | undefined;
  namespace: string;
  name: string;
  subresource: string;
  /** What follows the subresource: the path to proxy. */
  rest: string;
  verb: string;
};

export type ApiRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  user: User;
  incoming: IncomingMessage;
  response: ServerResponse;
};

export type ResourceRequest = ApiRequest & { target: Target; resource: Resource };

export type Reply = { status: number; body: JsonObject | string; contentType?: string; headers?: Record<string, string> };

function verbOf(method: string, name: string, isWatch: boolean): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (isWatch && name === "") return "watch";
      return name === "" ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === "" ? "deletecollection" : "delete";
    default:
      return method.toLowerCase();
  }
}

/** Reads a resource path; undefined for other paths, such as /version or a group that is not served. */
export function parseTarget(method: string, path: string, query: URLSearchParams): Target | undefined {
  const parts = path.split("/").slice(1).map(decodeURIComponent);
  const [root, ...tail] = parts;
  const depth = root === "api" ? 1 : root === "apis" ? 2 : 0;
  const groupVersion = tail.slice(0, depth).join("/");
  const segments = tail.slice(depth);
  if (depth === 0 || segments.length === 0 || segments[0] === "" || !groupVersions.includes(groupVersion)) return undefined;
  const { namespace, plural, name, subresource, rest } = split(segments);
  const isWatch = ["1", "true"].includes(query.get("watch") ?? "");
  const verb = verbOf(method, name, isWatch);
  return { groupVersion, plural, resource: findResource(groupVersion, plural), namespace, name, subresource, rest: rest.join("/"), verb };
}

function split(segments: string[]): { namespace: string; plural: string; name: string; subresource: string; rest: string[] } {
  const [first = "", second = "", third = "", ...others] = segments;
  const ofNamespace = ["status", "finalize"].includes(third);
  if (first !== "namespaces" || third === "" || ofNamespace) {
    return { namespace: "", plural: first, name: second, subresource: third, rest: others };
  }
  const [name = "", subresource = "", ...rest] = others;
  return { namespace: second, plural: third, name, subresource, rest };
}
