import { engineOf } from "../catalog-engine";
import type { Autoscaling } from "../deployment-options";
import type { Rendering } from "./context";
import { engineProcess } from "./engine-process";
import { startupSeconds } from "./engine";
import type { Json, KubeObject } from "./kube-object";
import { metadata, selectorLabels } from "./metadata";

/** Every drain goes on, one pod after the other; broken pods never hold it up. */
export function disruptionBudget(rendering: Rendering): KubeObject[] {
  if (!rendering.spec.disruptionBudget) return [];
  return [
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: metadata(rendering, rendering.spec.name),
      // With one replica `minAvailable: 1` would block every drain and cluster upgrade.
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: "AlwaysAllow", selector: { matchLabels: selectorLabels(rendering) } },
    },
  ];
}

/** What sets the replicas by the length of the queue, or nothing. */
export function scaler(rendering: Rendering): KubeObject[] {
  const { autoscaling } = rendering.spec;
  if (!autoscaling) return [];
  return [autoscaling.by === "hpa" ? podAutoscaler(rendering, autoscaling) : scaledObject(rendering, autoscaling)];
}

const calmDown = { scaleDown: { stabilizationWindowSeconds: 600 } };

function podAutoscaler(rendering: Rendering, { minReplicas, maxReplicas, pagesPerReplica }: Autoscaling): KubeObject {
  const { spec } = rendering;
  // Adapters rename the colon. Source: vLLM production stack, prom-adapter.yaml.
  const name = (engineOf(spec).queue?.waiting ?? "").replaceAll(":", "_");
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: metadata(rendering, spec.name),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: spec.name },
      minReplicas,
      maxReplicas,
      metrics: [{ type: "Pods", pods: { metric: { name }, target: { type: "AverageValue", averageValue: String(pagesPerReplica) } } }],
      behavior: calmDown,
    },
  };
}

type Keda = Extract<Autoscaling, { by: "keda" }>;

function scaledObject(rendering: Rendering, keda: Keda): KubeObject {
  const { spec } = rendering;
  const own = metadata(rendering, spec.name);
  // KEDA would raise a Deployment at zero again: it is told to pause there.
  const paused: Record<string, string> = spec.replicas === 0 ? { "autoscaling.keda.sh/paused-replicas": "0" } : {};
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledObject",
    metadata: { ...own, annotations: { ...own.annotations, ...paused } },
    spec: {
      scaleTargetRef: { name: spec.name },
      pollingInterval: 15,
      cooldownPeriod: 900,
      // Shorter, it would end a pod that is still loading.
      initialCooldownPeriod: startupSeconds,
      minReplicaCount: keda.minReplicas,
      maxReplicaCount: keda.maxReplicas,
      // When Prometheus is away, replicas stay instead of being switched off.
      fallback: { failureThreshold: 3, replicas: keda.minReplicas },
      advanced: { horizontalPodAutoscalerConfig: { behavior: calmDown } },
      triggers: [queueTrigger(rendering, keda)],
    },
  };
}

function queueTrigger({ spec, context }: Rendering, { prometheusUrl, pagesPerReplica }: Keda): Json {
  const queue = engineOf(spec).queue;
  const pods = `{namespace="${context.namespace}",pod=~"${spec.name}-.*"}`;
  const query = `sum(${queue?.waiting ?? ""}${pods}) + sum(${queue?.running ?? ""}${pods})`;
  return {
    type: "prometheus",
    metadata: { serverAddress: prometheusUrl, query, threshold: String(pagesPerReplica), activationThreshold: "0", ignoreNullValues: "false" },
  };
}

/** Tells the Prometheus operator to scrape the engine, or nothing. */
export function podMonitor(rendering: Rendering): KubeObject[] {
  const { monitoring, name } = rendering.spec;
  const path = engineOf(rendering.spec).metricsPath;
  if (!monitoring || path === null) return [];
  const own = metadata(rendering, name);
  const port = engineProcess(rendering).metricsPort === undefined ? "http" : "metrics";
  return [
    {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PodMonitor",
      metadata: { ...own, labels: { ...monitoring.labels, ...own.labels } },
      spec: { selector: { matchLabels: selectorLabels(rendering) }, podMetricsEndpoints: [{ port, path, interval: "30s" }] },
    },
  ];
}
