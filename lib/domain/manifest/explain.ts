/** Why an argument of vLLM is there, by its flag. Sources: LightOn's README, vLLM's command line and security pages. */
const argumentReasons: Record<string, string> = {
  "--revision": "The commit of the weights: without it the model could change under a running deployment.",
  "--host": "Listen on all addresses of the pod; the network policy decides who gets there.",
  "--port": "The port that the Service and the probes use.",
  "--limit-mm-per-prompt": "One page image per request, as the model was trained.",
  "--max-model-len": "Tokens of image and output together; the model's own default of 262,144 would leave no room for pages in parallel.",
  "--default-chat-template-kwargs": "Thinking stays off: the model was trained without it, and answers would grow and slow down.",
  "--mm-processor-cache-gb": "No cache of processed images: a page is read once.",
  "--no-enable-prefix-caching": "Pages share no prefix worth keeping; LightOn serves its models this way.",
  "--gpu-memory-utilization": "The share of the card that vLLM takes at start; the fit check counts with the same number.",
  "--dtype": "This card has no bf16, so weights are read as fp16; quality there is unverified.",
  "--model-path": "The model, by its name on the hub.",
  "--served-model-name": "The name that requests use, the same for every engine.",
  "--context-length": "Tokens of image and output together.",
  "--enable-metrics": "SGLang writes no metrics without it.",
  "--shutdown-timeout": "Seconds to finish running pages in; the default aborts them when the pod is stopped.",
  "--allowed-media-domains": "The server never fetches an address named in a request; pages travel inline.",
  "--disable-access-log-for-endpoints": "Keeps probes and metrics out of the log.",
};

const environmentReasons: Record<string, string> = {
  HF_HOME: "Weights go to the volume, so that a restart does not download them again.",
  VLLM_CACHE_ROOT: "The compile cache goes to the volume: a warm start takes seconds instead of a minute.",
  VLLM_NO_USAGE_STATS: "Telemetry of vLLM is on by default; this turns it off.",
  DO_NOT_TRACK: "Telemetry of vLLM is on by default; this turns it off.",
  HF_HUB_DISABLE_TELEMETRY: "No usage reports to the model hub.",
  HF_HUB_OFFLINE: "The weights are on the volume: nothing is fetched any more.",
  VLLM_MEDIA_URL_ALLOW_REDIRECTS: "No redirects when media is loaded: a guard against requests to inner addresses.",
  PYTHONPATH: "The stock image ships a transformers release that cannot load this model; the pinned one on the volume goes first.",
  HOME: "A writable home for a user that has none in the image.",
  USER: "Some libraries look the user's name up and fail when there is none.",
};

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
  Service: "A stable name inside the cluster. It must not be called vllm: that would set VLLM_PORT and stop the server.",
  "Service/spec/type": "ClusterIP: no address outside the cluster.",
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
  [`${pod}/affinity`]: "Whole cards of the chosen kind: shared and split ones carry another product name.",
  [`${pod}/tolerations`]: "GPU nodes are often tainted; without the toleration the pod stays Pending.",
  [`${pod}/topologySpreadConstraints`]: "Replicas prefer different nodes, but run together when there is only one.",
  [`${pod}/initContainers`]:
    "Installs the one package that the stock image has in a release which cannot load this model, once, on the volume.",
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
  if (segments[1] === "metadata") segments[0] = "*";
  const literal = reasons[path.replace(/\/containers\/\d+\//, "/containers/*/")];
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
