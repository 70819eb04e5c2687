import { argumentReasons, environmentReasons } from "./explain-engine";

const pod = "Deployment/spec/template/spec";
const container = `${pod}/containers/*`;

/** Reasons by path; `*` stands for a list index, and a path covers everything below it that has no reason of its own. */
const reasons: Record<string, string> = {
  "*/metadata/labels": "Labels by which Lectern finds its objects again and other tools show them.",
  "*/metadata/annotations/lectern~1revision": "The revision that this object belongs to.",
  ServiceAccount: "An identity of its own with no rights: the model never talks to the Kubernetes API.",
  PersistentVolumeClaim: "Keeps weights and compile cache over restarts.",
  "PersistentVolumeClaim/spec/accessModes": "ReadWriteOnce attaches to one node, so a new revision can start only after the old pod ended.",
  "PersistentVolumeClaim/spec/storageClassName":
    "Named explicitly, because new clusters may have no default class and the claim would wait for ever.",
  NetworkPolicy: "Closes both directions but for what is listed; it needs a network plugin that enforces policies.",
  "NetworkPolicy/spec/ingress": "Only the portal's and the chosen namespaces may call the model.",
  "NetworkPolicy/spec/egress": "Names can be resolved; HTTPS to the internet is open only while weights are downloaded.",
  ConfigMap: "Files by which the engine is configured; a change of them restarts nothing by itself.",
  Job: "Downloads the pinned weights before the engine starts, so that the engine itself needs no way out of the cluster. Its name carries a mark of its template, which is immutable.",
  "Job/spec/backoffLimit": "A download that broke off is tried again; what is there already is not fetched twice.",
  "Job/spec/activeDeadlineSeconds": "A download that hangs ends after an hour, with its log.",
  "Job/spec/template/spec/affinity": "The same nodes as the engine, so that the disk is made in their zone; beside the running engine, because a disk attaches to one node.",
  "Job/spec/template/spec/tolerations": "GPU nodes are often tainted; the disk must be made where they are.",
  "Job/spec/template/spec/securityContext": "The same user as the engine: it owns what was downloaded.",
  "Job/spec/template/spec/containers": "It asks for no GPU.",
  PodDisruptionBudget: "Lets a node be drained one pod at a time; with one replica it never blocks a cluster upgrade.",
  "PodDisruptionBudget/spec/unhealthyPodEvictionPolicy": "A pod that does not work never holds a drain up.",
  HorizontalPodAutoscaler: "Sets the replicas by the queue; the Deployment leaves them out, because two writers would conflict.",
  "HorizontalPodAutoscaler/spec/metrics": "Waiting pages per replica: the processor says nothing about this load.",
  "HorizontalPodAutoscaler/spec/behavior": "Ten calm minutes before a GPU is given back: starting one again takes as long.",
  ScaledObject: "KEDA sets the replicas by the queue; the Deployment leaves them out, because two writers would conflict.",
  "ScaledObject/spec/minReplicaCount": "Never zero: at zero pods there are no metrics that could wake it. Working hours and waking do that.",
  "ScaledObject/spec/initialCooldownPeriod": "Longer than a model load: otherwise a pod that is still loading would be ended.",
  "ScaledObject/spec/fallback": "When Prometheus is away, replicas stay instead of being switched off.",
  "ScaledObject/spec/triggers": "Waiting and running pages together, from the engine's own metrics.",
  PodMonitor: "Tells the Prometheus operator to scrape the engine; its labels are those that the Prometheus selects.",
  Ingress: "A name inside the company's network; only the OCR and health paths, because the engine's API key covers few of the others.",
  "Ingress/metadata/annotations": "Internal only, and ten minutes for a dense page before the connection is cut.",
  "Ingress/spec/ingressClassName": "The internal class: without one the cluster's default class counts, which is often public.",
  "Service/metadata/annotations": "The marks by which this cloud's controller makes an internal balancer.",
  "Service/spec/loadBalancerSourceRanges": "Private addresses only: nobody from the internet gets through, should the balancer become public all the same.",
  "Service/spec/loadBalancerClass": "The controller that makes internal balancers; the older one inside Kubernetes would make a public one.",
  "*/metadata/annotations/lectern~1overrides": "Fields that somebody has set by hand, past Lectern's own manifests.",
  Service: "A stable name inside the cluster. It must not be called vllm: that would set VLLM_PORT and stop the server.",
  "Service/spec/type": "ClusterIP: no address outside the cluster; or one of the internal network where that was asked for.",
  "Deployment/spec/replicas": "Each replica takes a whole GPU; 0 stops the deployment and keeps its volume.",
  "Deployment/spec/strategy": "The old pod ends before the new one starts: with one GPU or one disk a rolling update waits for ever.",
  "Deployment/spec/progressDeadlineSeconds":
    "Longer than image pull and model load together; the default of 600 s would report a healthy start as failed.",
  "Deployment/spec/revisionHistoryLimit": "Old replica sets that stay for comparison.",
  "Deployment/spec/selector": "Immutable: a change is refused by the cluster.",
  [`${pod}/enableServiceLinks`]: "Off, because variables made from Service names can break vLLM.",
  [`${pod}/automountServiceAccountToken`]: "No cluster token inside the pod.",
  [`${pod}/terminationGracePeriodSeconds`]: "Longer than the wait before the stop signal and vLLM's own shutdown together.",
  [`${pod}/securityContext`]:
    "A numeric user other than root and the default seccomp profile, as Pod Security “restricted” asks; the group owns the volume.",
  [`${pod}/nodeSelector`]: "Labels by which this cloud marks the chosen GPU nodes.",
  [`${pod}/runtimeClassName`]: "Needed on clusters where the NVIDIA runtime is not the default one.",
  [`${pod}/priorityClassName`]: "Who is ended first when the cluster is full.",
  [`${pod}/imagePullSecrets`]: "Access to a private mirror of the image, by reference.",
  [`${pod}/affinity`]: "Whole cards of the chosen kind: shared and split ones carry another product name.",
  [`${pod}/tolerations`]: "GPU nodes are often tainted; without the toleration the pod stays Pending.",
  [`${pod}/topologySpreadConstraints`]: "Replicas prefer different nodes, but run together when there is only one.",
  [`${pod}/initContainers`]:
    "What must be on the volume before the engine starts: a package that the stock image has in a release which cannot load this model, or a pulled copy.",
  [`${pod}/volumes`]: "The weights, and shared memory for the server's processes.",
  [`${container}/image`]: "A fixed release: latest would change vLLM and transformers without notice.",
  [`${container}/command`]: "Named explicitly, because the image's own start command changed between releases.",
  [`${container}/args/0`]: "The model, by its name on the hub.",
  [`${container}/resources/requests`]:
    "Fits what the node leaves after its own reservations and DaemonSets; asking for the whole node would never be scheduled.",
  [`${container}/resources/limits`]: "Memory limit equals the request; the GPU stands in limits only, and cannot be overcommitted.",
  [`${container}/startupProbe`]: "Twenty minutes for the first download and load; until it passes, the other probes wait.",
  [`${container}/readinessProbe`]: "Takes the pod out of the Service within 15 s when the engine stops answering.",
  [`${container}/livenessProbe`]: "Restarts a dead engine; held back by the startup probe while the model loads.",
  [`${container}/lifecycle`]: "Waits until the Service has stopped sending requests, before vLLM is told to stop.",
  [`${container}/securityContext`]:
    "No way to gain privileges; the root file system stays writable, as the NVIDIA hook needs it on some nodes.",
  [`${container}/volumeMounts`]: "Weights and caches at /models, shared memory at /dev/shm.",
};

/**
 * One sentence on why a field is as it is, or undefined where there is nothing to say. `path` is the kind and the keys below it,
 * split by "/" ("~1" for a slash within a key), for example `Deployment/spec/template/spec/containers/0/args/5`;
 * `value` tells arguments and environment variables apart.
 */
export function explain(path: string, value?: unknown): string | undefined {
  const argument = /\/args\/\d+$/.test(path) && typeof value === "string" ? argumentReasons[value.split("=")[0] ?? ""] : undefined;
  const variable = /\/env\/\d+$/.test(path) ? environmentReasons[nameOf(value)] : undefined;
  return argument ?? variable ?? nearestReason(path);
}

function nearestReason(path: string): string | undefined {
  const segments = path.split("/").map((segment, index) => (index > 0 && /^\d+$/.test(segment) ? "*" : segment));
  const own = reasons[segments.join("/")];
  if (own !== undefined) return own;
  if (segments[1] === "metadata" && !reasons[segments.slice(0, 3).join("/")]) segments[0] = "*";
  const literal = reasons[path.replace(/\/containers\/\d+\//, "/containers/*/").replace(/^[^/]+(?=\/metadata\/annotations\/lectern~1)/, "*")];
  if (literal !== undefined) return literal;
  for (let length = segments.length; length > 0; length -= 1) {
    const reason = reasons[segments.slice(0, length).join("/")];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function nameOf(value: unknown): string {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";
}
