import "server-only";
import { listAt, objectAt, textMap, type JsonObject } from "../json";

const computed = ["cpu", "memory"];

/** The quality-of-service class: Guaranteed only when every container's limits equal its requests for CPU and memory. */
export function podQos(pod: JsonObject): string {
  const containers = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  const sides = containers.map((container) => {
    const resources = objectAt(container, "resources");
    return { limits: textMap(resources, "limits"), requests: textMap(resources, "requests") };
  });
  const isSet = ({ limits, requests }: (typeof sides)[number]): boolean => computed.some((name) => limits[name] ?? requests[name]);
  if (!sides.some(isSet)) return "BestEffort";
  const isFull = ({ limits, requests }: (typeof sides)[number]): boolean =>
    computed.every((name) => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name]);
  return sides.every(isFull) ? "Guaranteed" : "Burstable";
}
