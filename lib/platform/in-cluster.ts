import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ClusterCredentials } from "@/lib/domain/kubeconfig";
import { DomainError } from "@/lib/domain/errors";
import { env } from "./env";

/** Where Kubernetes mounts the service account of a pod (Kubernetes documentation, "Access the Kubernetes API from a Pod"). */
const MOUNTED = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The credential of the pod that Lectern runs in. The token is renewed by the kubelet about every hour: read it again, do not keep it.
 * Throws DomainError `unprocessable` outside a cluster.
 */
export async function inClusterCredentials(folder = MOUNTED, host = env().KUBERNETES_SERVICE_HOST): Promise<ClusterCredentials> {
  const none = new DomainError("unprocessable", "Lectern does not run in a cluster, or its pod has no service account mounted: link by kubeconfig instead.");
  if (!host) throw none;
  const read = (name: string) => readFile(path.join(/*turbopackIgnore: true*/ folder, name), "utf8").catch(() => Promise.reject(none));
  const [token, caPem] = await Promise.all([read("token"), read("ca.crt")]);
  const name = host.includes(":") ? `[${host}]` : host;
  return ClusterCredentials.parse({ server: `https://${name}:${env().KUBERNETES_SERVICE_PORT}`, caPem, token: token.trim() });
}

/** Whether Lectern runs in a cluster. */
export function isInCluster(): boolean {
  return env().KUBERNETES_SERVICE_HOST !== undefined;
}
