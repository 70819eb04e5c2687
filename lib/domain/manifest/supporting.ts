import type { Rendering } from "./context";
import { engineProcess } from "./engine-process";
import type { KubeObject } from "./kube-object";
import { claimName, metadata } from "./metadata";

export function serviceAccount(rendering: Rendering): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: metadata(rendering, rendering.spec.name),
    automountServiceAccountToken: false,
  };
}

export const configName = (rendering: Rendering): string => `${rendering.spec.name}-engine`;

/** Files of the engine, for those that are configured by files. */
export function engineConfig(rendering: Rendering): KubeObject[] {
  const { files } = engineProcess(rendering);
  if (!files) return [];
  return [{ apiVersion: "v1", kind: "ConfigMap", metadata: metadata(rendering, configName(rendering)), data: Object.fromEntries(files.map((file) => [file.name, file.text])) }];
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
