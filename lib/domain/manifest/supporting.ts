import type { Rendering } from "./context";
import type { KubeObject } from "./kube-object";
import { claimName, metadata, selectorLabels } from "./metadata";

/** The port on which vLLM listens, in the pod and on the Service. */
export const enginePort = 8000;

export function serviceAccount(rendering: Rendering): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: metadata(rendering, rendering.spec.name),
    automountServiceAccountToken: false,
  };
}

/** The volume that keeps weights and compile cache over restarts. */
export function weightsClaim(rendering: Rendering): KubeObject {
  const { spec } = rendering;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: metadata(rendering, claimName(rendering)),
    spec: {
      accessModes: [spec.accessMode],
      resources: { requests: { storage: `${spec.storageGi}Gi` } },
      ...(spec.storageClass === undefined ? {} : { storageClassName: spec.storageClass }),
    },
  };
}

/** Reachable inside the cluster only. */
export function service(rendering: Rendering): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(rendering, rendering.spec.name),
    spec: {
      type: "ClusterIP",
      selector: selectorLabels(rendering),
      ports: [{ name: "http", port: enginePort, protocol: "TCP", targetPort: "http" }],
    },
  };
}
