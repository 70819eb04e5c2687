import { canonicalJson } from "../canonical-json";
import type { Rendering } from "./context";
import { engineProcess } from "./engine-process";
import type { Json, KubeObject } from "./kube-object";
import { claimName, labels, metadata, prefetchSelector, selectorLabels } from "./metadata";
import { fetchContainer, nodeAffinity, nodeFields, packagesContainer, packagesOf, podBasics, podSecurity } from "./pod-parts";

/** An hour for a download of up to 10 GB and the image. */
const activeDeadlineSeconds = 3600;

/**
 * The Job that downloads the pinned weights before the engine starts, or nothing. A Job's template is immutable, so its name carries
 * a mark of the template: other weights make another Job, and the earlier one is pruned.
 */
export function prefetchJob(rendering: Rendering): KubeObject[] {
  const { spec } = rendering;
  const { fetch, env } = engineProcess(rendering);
  if (!spec.prefetch || fetch === null) return [];
  const online = env.filter(({ name }) => name !== "HF_HUB_OFFLINE");
  const template: { [key: string]: Json } = {
    metadata: { labels: { ...labels(rendering), ...prefetchSelector(rendering), "app.kubernetes.io/component": "prefetch" } },
    spec: {
      ...podBasics(rendering),
      restartPolicy: "Never",
      securityContext: podSecurity(),
      ...nodeFields(rendering),
      affinity: { ...nodeAffinity(rendering), ...besideTheEngine(rendering) },
      ...(packagesOf(rendering).length > 0 ? { initContainers: [packagesContainer(rendering)] } : {}),
      containers: [fetchContainer(rendering, { command: fetch, env: online })],
      volumes: [{ name: "models", persistentVolumeClaim: { claimName: claimName(rendering) } }],
    },
  };
  return [
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: metadata(rendering, `${spec.name}-prefetch-${mark(canonicalJson(template))}`),
      spec: { backoffLimit: 4, activeDeadlineSeconds, template },
    },
  ];
}

/** A disk of one node is held by the engine that runs: the download then goes to the same node. */
function besideTheEngine(rendering: Rendering): { [key: string]: Json } {
  const podAffinityTerm = { labelSelector: { matchLabels: selectorLabels(rendering) }, topologyKey: "kubernetes.io/hostname" };
  return { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } };
}

/** Eight hexadecimal digits (FNV-1a, 32 bits): enough to tell one deployment's few templates apart. */
function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
