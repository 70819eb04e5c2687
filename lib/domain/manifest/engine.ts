import { engineOf } from "../catalog-engine";
import { imageReference } from "../catalog-model";
import { proposeRequests } from "../fit-node";
import { formatCpu, formatMemory } from "../quantity";
import type { Rendering } from "./context";
import type { Json, KubeObject } from "./kube-object";
import { claimName, labels, metadata, selectorLabels } from "./metadata";
import { sglangArgs } from "./sglang";
import { enginePort } from "./supporting";
import { modelsPath, packageInstall, shutdownTimeoutSeconds, vllmArgs, vllmEnvironment } from "./vllm";

/** Seconds: 120 probes of 10 s cover the first download; pulling an 11 GB image on a new node takes up to the rest. */
const startupProbes = { periodSeconds: 10, failureThreshold: 120 };
const progressDeadlineSeconds = startupProbes.periodSeconds * startupProbes.failureThreshold + 1200;
const preStopSeconds = 15;

/** The Deployment that serves the model. */
export function engineDeployment(rendering: Rendering): KubeObject {
  const { spec } = rendering;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata(rendering, spec.name),
    spec: {
      replicas: spec.replicas,
      revisionHistoryLimit: 5,
      progressDeadlineSeconds,
      strategy: strategy(rendering),
      selector: { matchLabels: selectorLabels(rendering) },
      template: { metadata: { labels: labels(rendering) }, spec: podSpec(rendering) },
    },
  };
}

/** A surge waits for a second GPU and for the disk that the old pod holds: for ever, on one of each. */
function strategy({ spec }: Rendering): Json {
  if (spec.accessMode === "ReadWriteOnce") return { type: "Recreate" };
  return { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
}

function podSpec(rendering: Rendering): { [key: string]: Json } {
  const { spec, model } = rendering;
  const packages = spec.engine === "vllm" ? model.image.pythonPackages : [];
  return {
    serviceAccountName: spec.name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: preStopSeconds + shutdownTimeoutSeconds + 15,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 2000,
      runAsGroup: 0,
      fsGroup: 2000,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...placementFields(rendering),
    ...(packages.length === 0 ? {} : { initContainers: [packagesContainer(rendering)] }),
    containers: [engineContainer(rendering)],
    volumes: [
      { name: "models", persistentVolumeClaim: { claimName: claimName(rendering) } },
      { name: "shm", emptyDir: { medium: "Memory", sizeLimit: "2Gi" } },
    ],
  };
}

function placementFields(rendering: Rendering): { [key: string]: Json } {
  const { spec, sku } = rendering;
  const { placement } = sku;
  const nodeSelector = { ...placement.nodeSelector, ...(spec.spot ? placement.spotSelector : {}) };
  const tolerations = [...placement.tolerations, ...(spec.spot ? placement.spotTolerations : [])];
  const requirements = placement.requirements.map((each) => ({ ...each }));
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    tolerations: tolerations.map((each) => ({ ...each })),
    ...(requirements.length === 0
      ? {}
      : {
          affinity: {
            nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: requirements }] } },
          },
        }),
    ...(spec.replicas < 2
      ? {}
      : {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: selectorLabels(rendering) },
            },
          ],
        }),
  };
}

const containerSecurity = (): Json => ({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } });

/** What runs in the container: the image that the catalogue pins for the engine, and its own way to be started. */
function engineProcess(rendering: Rendering): { image: string; imagePullPolicy: string; command: string[]; args: string[] } {
  const imagePullPolicy = "IfNotPresent";
  if (rendering.spec.engine === "vllm") return { image: imageReference(rendering.model.image), imagePullPolicy, command: ["vllm", "serve"], args: vllmArgs(rendering) };
  const { repository, tag } = engineOf(rendering.spec).image;
  return { image: `${repository}:${tag}`, imagePullPolicy, command: ["python3", "-m", "sglang.launch_server"], args: sglangArgs(rendering) };
}

function engineContainer(rendering: Rendering): Json {
  const { cpuMillis, memoryMib } = proposeRequests(rendering.sku, rendering.context.allocatable);
  const memory = formatMemory(memoryMib);
  const health = { path: "/health", port: "http" };
  return {
    name: rendering.spec.engine,
    ...engineProcess(rendering),
    env: vllmEnvironment(rendering),
    ports: [{ name: "http", containerPort: enginePort, protocol: "TCP" }],
    resources: { requests: { cpu: formatCpu(cpuMillis), memory }, limits: { memory, "nvidia.com/gpu": "1" } },
    startupProbe: { httpGet: { ...health }, timeoutSeconds: 5, ...startupProbes },
    readinessProbe: { httpGet: { ...health }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
    livenessProbe: { httpGet: { ...health }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    lifecycle: { preStop: { exec: { command: ["sleep", String(preStopSeconds)] } } },
    securityContext: containerSecurity(),
    volumeMounts: [
      { name: "models", mountPath: modelsPath },
      { name: "shm", mountPath: "/dev/shm" },
    ],
  };
}

function packagesContainer({ model }: Rendering): Json {
  return {
    name: "packages",
    image: imageReference(model.image),
    imagePullPolicy: "IfNotPresent",
    command: packageInstall(model.image.pythonPackages),
    env: [{ name: "HOME", value: "/tmp" }],
    resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "1Gi" } },
    securityContext: containerSecurity(),
    volumeMounts: [{ name: "models", mountPath: modelsPath }],
  };
}
