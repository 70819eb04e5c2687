import { proposeRequests } from "../fit-node";
import { formatCpu, formatMemory } from "../quantity";
import type { Rendering } from "./context";
import { configMapVolume, engineImage, engineProcess, type EngineProcess } from "./engine-process";
import type { Json, KubeObject } from "./kube-object";
import { claimName, metadata, podLabels, selectorLabels } from "./metadata";
import { containerSecurity, fetchContainer, hubToken, nodeAffinity, nodeFields, packagesContainer, packagesOf, podBasics, podSecurity } from "./pod-parts";
import { configName } from "./supporting";
import { modelsPath, shutdownTimeoutSeconds } from "./vllm";

/** Seconds: 120 probes of 10 s cover the first download; pulling an 11 GB image on a new node takes up to the rest. */
const startupProbes = { periodSeconds: 10, failureThreshold: 120 };
export const startupSeconds = startupProbes.periodSeconds * startupProbes.failureThreshold;
const progressDeadlineSeconds = startupSeconds + 1200;
const preStopSeconds = 15;

/** The Deployment that serves the model. */
export function engineDeployment(rendering: Rendering): KubeObject {
  const { spec } = rendering;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata(rendering, spec.name),
    spec: {
      // Written by whoever scales: two writers would conflict. Zero stays ours, it stops the deployment.
      ...(spec.autoscaling && spec.replicas > 0 ? {} : { replicas: spec.replicas }),
      revisionHistoryLimit: 5,
      progressDeadlineSeconds,
      strategy: strategy(rendering),
      selector: { matchLabels: selectorLabels(rendering) },
      template: { metadata: { labels: podLabels(rendering) }, spec: podSpec(rendering) },
    },
  };
}

/** A surge waits for a second GPU and for the disk that the old pod holds: for ever, on one of each. */
function strategy({ spec }: Rendering): Json {
  if (spec.accessMode === "ReadWriteOnce") return { type: "Recreate" };
  return { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
}

function podSpec(rendering: Rendering): { [key: string]: Json } {
  const { spec } = rendering;
  const engine = engineProcess(rendering);
  const init = initContainers(rendering, engine);
  const affinity = nodeAffinity(rendering);
  return {
    ...podBasics(rendering),
    ...(spec.runtimeClassName === undefined ? {} : { runtimeClassName: spec.runtimeClassName }),
    terminationGracePeriodSeconds: preStopSeconds + shutdownTimeoutSeconds + 15,
    securityContext: podSecurity(),
    ...nodeFields(rendering),
    ...(Object.keys(affinity).length === 0 ? {} : { affinity }),
    ...spread(rendering),
    ...(init.length === 0 ? {} : { initContainers: init }),
    containers: [engineContainer(rendering, engine)],
    volumes: [
      { name: "models", persistentVolumeClaim: { claimName: claimName(rendering) } },
      { name: "shm", emptyDir: { medium: "Memory", sizeLimit: "2Gi" } },
      ...(engine.files ? [configMapVolume(configName(rendering), engine.files)] : []),
    ],
  };
}

function spread(rendering: Rendering): { [key: string]: Json } {
  const { spec } = rendering;
  if (Math.max(spec.replicas, spec.autoscaling?.maxReplicas ?? 0) < 2) return {};
  const rule = { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway", labelSelector: { matchLabels: selectorLabels(rendering) } };
  return { topologySpreadConstraints: [rule] };
}

/** What must be on the volume before the engine starts; a Job does it where there is one, and then only the packages are looked for again. */
function initContainers(rendering: Rendering, engine: EngineProcess): Json[] {
  const { spec } = rendering;
  const packages = packagesOf(rendering).length > 0 ? [packagesContainer(rendering)] : [];
  // Ollama serves only what was pulled: without a Job it pulls here.
  const isPulled = spec.engine === "ollama" && !spec.prefetch && !spec.offline && engine.fetch !== null;
  return isPulled && engine.fetch ? [...packages, fetchContainer(rendering, { command: engine.fetch, env: engine.env })] : packages;
}

function engineContainer(rendering: Rendering, engine: EngineProcess): Json {
  const { cpuMillis, memoryMib } = proposeRequests(rendering.sku, rendering.context.allocatable);
  const memory = formatMemory(memoryMib);
  const { command, args, env, port, probes, metricsPort } = engine;
  const probe = (path: string) => ({ httpGet: { path, port: "http" } });
  return {
    name: rendering.spec.engine,
    image: engineImage(rendering),
    imagePullPolicy: "IfNotPresent",
    command,
    ...(args.length === 0 ? {} : { args }),
    env: [...env, ...hubToken(rendering)],
    ports: [
      { name: "http", containerPort: port, protocol: "TCP" },
      ...(metricsPort === undefined ? [] : [{ name: "metrics", containerPort: metricsPort, protocol: "TCP" }]),
    ],
    resources: { requests: { cpu: formatCpu(cpuMillis), memory }, limits: { memory, "nvidia.com/gpu": "1" } },
    startupProbe: { ...probe(probes.startup), timeoutSeconds: 5, ...startupProbes },
    readinessProbe: { ...probe(probes.readiness), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
    livenessProbe: { ...probe(probes.liveness), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    lifecycle: { preStop: { exec: { command: ["sleep", String(preStopSeconds)] } } },
    securityContext: containerSecurity(),
    volumeMounts: [
      { name: "models", mountPath: modelsPath },
      { name: "shm", mountPath: "/dev/shm" },
      // Each file by itself: Triton would take the hidden folders of a mounted ConfigMap for models.
      ...(engine.files ?? []).map((file) => ({ name: "repository", mountPath: file.path, subPath: file.name, readOnly: true })),
    ],
  };
}
