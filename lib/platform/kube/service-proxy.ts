import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { Send } from "../transport";
import { resourcePath } from "./path";

/** A Service and one of its ports, by name or number. */
export type ServicePort = { namespace: string; service: string; port: string | number };

/**
 * Reaches the pods of a Service through the API server, for a portal outside the cluster's network. The API server takes
 * Lectern's credential off the request; it answers 503 with a Status when no pod is ready. Which paths may pass is the caller's rule.
 */
export function serviceProxySend(kube: { send: Send }, { namespace, service, port }: ServicePort): Send {
  const root = resourcePath({ apiVersion: "v1", resource: "services", namespace, name: `${service}:${port}`, subresource: "proxy" });
  return async (request) => {
    const [path = ""] = request.path.split("?");
    // Dot segments would leave the proxy and reach the API itself with Lectern's credential.
    if (new URL(path, "http://service").pathname !== path)
      throw new DomainError("invalid_input", "The path to the model server must be plain.");
    return kube.send({ ...request, path: `${root}${request.path}` });
  };
}
