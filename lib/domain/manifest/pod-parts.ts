import type { Rendering } from "./context";
import { engineImage } from "./engine-process";
import type { Json } from "./kube-object";
import { modelsPath, packageInstall } from "./vllm";

type JsonMap = { [key: string]: Json };

/** As Pod Security "restricted" asks; user and group are those of the volume. */
export const podSecurity = (): JsonMap => ({
  runAsNonRoot: true,
  runAsUser: 2000,
  runAsGroup: 0,
  fsGroup: 2000,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" },
});

export const containerSecurity = (): JsonMap => ({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } });

/** Identity and isolation that every pod of a deployment shares. */
export function podBasics({ spec }: Rendering): JsonMap {
  return {
    serviceAccountName: spec.name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(spec.imagePullSecret === undefined ? {} : { imagePullSecrets: [{ name: spec.imagePullSecret }] }),
    ...(spec.priorityClassName === undefined ? {} : { priorityClassName: spec.priorityClassName }),
  };
}

/** How the scheduler finds the nodes of the chosen size. */
export function nodeFields({ spec, sku }: Rendering): JsonMap {
  const { placement } = sku;
  const nodeSelector = { ...placement.nodeSelector, ...(spec.spot ? placement.spotSelector : {}) };
  const tolerations = [...placement.tolerations, ...(spec.spot ? placement.spotTolerations : [])];
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    tolerations: tolerations.map((each) => ({ ...each })),
  };
}

/** The rule on labels of the node, or nothing where labels alone select it. */
export function nodeAffinity({ sku }: Rendering): JsonMap {
  const requirements = sku.placement.requirements.map((each) => ({ ...each }));
  if (requirements.length === 0) return {};
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: requirements }] } } };
}

/** Packages that the stock image has in a release that cannot load the model; only vLLM's own image is known to need any. */
export function packagesOf({ spec, model }: Rendering): readonly string[] {
  return spec.engine === "vllm" ? model.image.pythonPackages : [];
}

export function packagesContainer(rendering: Rendering): Json {
  return {
    name: "packages",
    image: engineImage(rendering),
    imagePullPolicy: "IfNotPresent",
    command: packageInstall(packagesOf(rendering)),
    env: [{ name: "HOME", value: "/tmp" }],
    resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "1Gi" } },
    securityContext: containerSecurity(),
    volumeMounts: [{ name: "models", mountPath: modelsPath }],
  };
}

/** Puts the weights on the volume. It asks for no GPU, and must not see one on a GPU node. */
export function fetchContainer(rendering: Rendering, fetch: { command: string[]; env: Json[] }): Json {
  return {
    name: "fetch",
    image: engineImage(rendering),
    imagePullPolicy: "IfNotPresent",
    command: fetch.command,
    env: [...fetch.env, ...hubToken(rendering), { name: "NVIDIA_VISIBLE_DEVICES", value: "void" }],
    resources: { requests: { cpu: "1", memory: "4Gi" }, limits: { memory: "4Gi" } },
    securityContext: containerSecurity(),
    volumeMounts: [{ name: "models", mountPath: modelsPath }],
  };
}

/** The token of the hub, by reference. */
export function hubToken({ spec }: Rendering): Json[] {
  return spec.hubToken === undefined ? [] : [{ name: "HF_TOKEN", valueFrom: { secretKeyRef: { name: spec.hubToken.name, key: spec.hubToken.key } } }];
}
