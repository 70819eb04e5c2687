import "server-only";
import type { JsonObject } from "../json";
import type { KubeObject } from "../object";
import { columnDefinition, columnsOf } from "./columns";
import type { ApiContext } from "./context";
import type { ResourceRequest } from "./request";

/** Whether the client asked for rows to print, as `kubectl get` does. */
export function wantsTable(accept: string | undefined): boolean {
  return /as=Table[;,]?/.test(accept ?? "") && /g=meta\.k8s\.io/.test(accept ?? "");
}

/** A duration as kubectl prints it: the one or two largest units that matter. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (days < 2) return `${hours}h`;
  return `${days}d`;
}

export function toTable(context: ApiContext, request: ResourceRequest, objects: KubeObject[]): JsonObject {
  const columns = columnsOf(request.resource.kind);
  const now = context.registry.context.clock.now();
  const age = (time: string | undefined): string => (time === undefined ? "<unknown>" : humanDuration(now - Date.parse(time)));
  const includesObject = request.query.get("includeObject") ?? "Metadata";
  const rows = objects.map((object) => ({
    cells: columns.map((column) => column.cell(object, age)),
    object: shown(object, includesObject),
  }));
  const metadata = objects.length === 1 ? { resourceVersion: objects[0]?.metadata.resourceVersion ?? "" } : {};
  return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata, columnDefinitions: columns.map(columnDefinition), rows };
}

function shown(object: KubeObject, mode: string): JsonObject | undefined {
  if (mode === "None") return undefined;
  return mode === "Object" ? object : { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}
