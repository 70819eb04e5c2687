import "server-only";
import { z } from "zod";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import { eventTime, type LiveClaim, type LiveContainerStatus, type LiveEvent, type LivePod, type LiveReplicaSet } from "@/lib/domain/rollout-objects";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";

const EVENTS_SHOWN = 100;

const Container = z.strictObject({ name: z.string(), isInit: z.boolean(), state: z.string(), reason: z.string(), isReady: z.boolean(), restarts: z.number().int(), hasPrevious: z.boolean() });
const Condition = z.strictObject({ type: z.string(), status: z.string(), reason: z.string(), message: z.string(), at: z.string().nullable() });
const Pod = z.strictObject({ name: z.string(), phase: z.string(), node: z.string().nullable(), isEnding: z.boolean(), createdAt: z.string().nullable(), containers: z.array(Container), conditions: z.array(Condition) });
const Event = z.strictObject({ type: z.string(), reason: z.string(), message: z.string(), count: z.number().int(), object: z.string(), at: z.string().nullable() });
const Claim = z.strictObject({ name: z.string(), phase: z.string(), storageClass: z.string().nullable(), accessModes: z.array(z.string()) });

export const deploymentsObjects = read({
  name: "deployments.objects",
  summary: "Pods with their containers and conditions, volume claims and events of a deployment, as the cluster shows them now",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ pods: z.array(Pod), claims: z.array(Claim), events: z.array(Event) }),
  run: async ({ db, input, signal }) => {
    const row = await deploymentRow(db, input.id);
    const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
    const own = { labelSelector: `${deploymentLabel}=${row.id}`, ...(signal ? { signal } : {}) };
    const [pods, replicaSets, claims, events] = await Promise.all([
      kube.list<LivePod>({ apiVersion: "v1", resource: "pods", namespace }, own),
      kube.list<LiveReplicaSet>({ apiVersion: "apps/v1", resource: "replicasets", namespace }, own),
      kube.list<LiveClaim>({ apiVersion: "v1", resource: "persistentvolumeclaims", namespace }, own),
      kube.list<LiveEvent & { metadata: LivePod["metadata"] }>({ apiVersion: "v1", resource: "events", namespace }, signal ? { signal } : {}),
    ]);
    const names = new Set([row.name, ...[...pods.items, ...replicaSets.items, ...claims.items].map((object) => object.metadata.name)]);
    return {
      pods: pods.items.map(podView),
      claims: claims.items.map((claim) => ({ name: claim.metadata.name, phase: claim.status?.phase ?? "", storageClass: claim.spec?.storageClassName ?? null, accessModes: claim.spec?.accessModes ?? [] })),
      events: newestFirst(events.items.filter((event) => names.has(event.involvedObject.name))).map(eventView),
    };
  },
});

function podView(pod: LivePod): z.infer<typeof Pod> {
  const { metadata, spec, status } = pod;
  const containers = [...(status?.initContainerStatuses ?? []).map((each) => containerView(each, true)), ...(status?.containerStatuses ?? []).map((each) => containerView(each, false))];
  const conditions = (status?.conditions ?? []).map((each) => ({ type: each.type, status: each.status, reason: each.reason ?? "", message: each.message ?? "", at: each.lastTransitionTime ?? null }));
  return { name: metadata.name, phase: status?.phase ?? "Unknown", node: spec?.nodeName ?? null, isEnding: metadata.deletionTimestamp !== undefined, createdAt: metadata.creationTimestamp ?? null, containers, conditions };
}

function containerView(status: LiveContainerStatus, isInit: boolean): z.infer<typeof Container> {
  const { waiting, running, terminated } = status.state ?? {};
  const state = waiting ? "waiting" : running ? "running" : terminated ? "ended" : "unknown";
  const exit = terminated ? `${terminated.reason ?? "Ended"} (exit code ${terminated.exitCode ?? "?"})` : "";
  return { name: status.name, isInit, state, reason: waiting?.reason ?? exit, isReady: status.ready ?? false, restarts: status.restartCount ?? 0, hasPrevious: status.lastState?.terminated !== undefined };
}

function newestFirst(events: readonly LiveEvent[]): LiveEvent[] {
  return [...events].sort((left, right) => ((eventTime(left) ?? "") < (eventTime(right) ?? "") ? 1 : -1)).slice(0, EVENTS_SHOWN);
}

function eventView(event: LiveEvent): z.infer<typeof Event> {
  const { kind, name } = event.involvedObject;
  return { type: event.type ?? "Normal", reason: event.reason ?? "", message: event.message ?? "", count: event.count ?? 1, object: `${kind}/${name}`, at: eventTime(event) };
}
