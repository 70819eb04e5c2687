import type { Finding, FindingInput } from "./finding";
import { logFinding } from "./finding-log";
import type { LiveContainerStatus, LiveEvent, LivePod } from "./rollout-objects";

/** What keeps a scheduled pod from starting, from its container states and its own events. */
export function podFindings(pod: LivePod, { events, logs }: FindingInput): Finding[] {
  if (pod.status?.phase === "Failed") return [failedPod(pod)];
  const own = events.filter((event) =>
    event.involvedObject.uid ? event.involvedObject.uid === pod.metadata.uid : event.involvedObject.name === pod.metadata.name,
  );
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const containers = statuses.flatMap((status) => containerFinding(status, { events: own, log: logs?.[pod.metadata.name] ?? "" }) ?? []);
  const isRunning = statuses.some((status) => status.state?.running);
  return [...containers, ...(isRunning ? [] : mountFindings(own))];
}

function failedPod(pod: LivePod): Finding {
  const raw = pod.status?.message ?? pod.status?.reason ?? "Failed";
  if (pod.status?.reason === "Evicted") {
    return {
      id: "evicted",
      cause: "The node evicted the pod, most often because its disk is full: image and weights need 60 GB or more.",
      evidence: [raw],
      remedy: "Use nodes with a larger disk.",
      severity: "blocker",
    };
  }
  return {
    id: "pod-failed",
    cause: "The pod failed.",
    evidence: [raw],
    remedy: "Read the text below and the pod's log.",
    severity: "blocker",
  };
}

type Known = { events: readonly LiveEvent[]; log: string };

function containerFinding(status: LiveContainerStatus, { events, log }: Known): Finding | undefined {
  const waiting = status.state?.waiting;
  const reason = waiting?.reason ?? "";
  if (/^(ErrImagePull|ImagePullBackOff)$/.test(reason)) return imageFinding(waiting?.message ?? reason, events);
  const ended = status.state?.terminated ?? status.lastState?.terminated;
  // An init container that is done ended too, with 0.
  const hasFailed = reason === "CrashLoopBackOff" || (status.state?.terminated?.exitCode ?? 0) !== 0 || isTryingAgain(status);
  if (ended && hasFailed) return endedFinding(status, ended, log);
  if (reason === "CreateContainerConfigError") {
    return {
      id: "container-config",
      cause: "The container's configuration is refused: a Secret or ConfigMap key is missing, or the user would be root.",
      evidence: raw(waiting),
      remedy: "Read the text below; apply the deployment again after the fix.",
      severity: "blocker",
    };
  }
  if (/^(InvalidImageName|ErrImageNeverPull)$/.test(reason)) {
    return {
      id: "image-name",
      cause: "The image's name or the node's pull policy is refused.",
      evidence: raw(waiting),
      remedy: "Check the image of the model in the catalogue.",
      severity: "blocker",
    };
  }
  if (/^(RunContainerError|CreateContainerError)$/.test(reason)) {
    return {
      id: "container-runtime",
      cause: "The node's container runtime cannot start the container: often the NVIDIA runtime or its hook.",
      evidence: raw(waiting),
      remedy: "Check the container toolkit on the node, and whether the cluster needs the RuntimeClass nvidia.",
      severity: "blocker",
    };
  }
  return undefined;
}

/** Exit codes that say nothing of the container itself: killed, most often by its probe for being slow, and lost with its node. */
const NOT_ITS_OWN = [137, 255];

/** Started anew after it failed, and not ready yet: the cause stands until it answers, else it would come and go with every try. */
function isTryingAgain({ state, lastState, ready, restartCount }: LiveContainerStatus): boolean {
  const { exitCode = 0, reason } = lastState?.terminated ?? {};
  const hasFailed = reason === "OOMKilled" || (exitCode !== 0 && !NOT_ITS_OWN.includes(exitCode));
  return state?.running !== undefined && !ready && (restartCount ?? 0) > 0 && hasFailed;
}

function raw(waiting: { reason?: string; message?: string } | undefined): string[] {
  return [[waiting?.reason, waiting?.message].filter((each) => each !== undefined).join(": ")];
}

/** Image problems by the registry's own words; more specific ones first. */
const imageRules: readonly [RegExp, string, string, string][] = [
  [
    /toomanyrequests|too many requests|rate limit/i,
    "image-rate-limit",
    "The registry refuses more downloads for now: its rate limit is reached.",
    "Wait, sign in to the registry, or use a mirror of your own.",
  ],
  [
    /unauthorized|denied|authentication required|403/i,
    "image-unauthorized",
    "The registry refuses to give the image without credentials.",
    "Add the pull secret of the registry, or use a public image.",
  ],
  [
    /no space left/i,
    "image-no-space",
    "The node's disk is too small for the image (26 GB unpacked) and the weights.",
    "Use nodes with a disk of 100 GB.",
  ],
  [
    /not ?found|manifest unknown|does not exist/i,
    "image-not-found",
    "The image does not exist in the registry under this name and tag.",
    "Check name and tag; a private mirror must hold the same tag.",
  ],
  [
    /timeout|timed out|no such host|connection refused|TLS handshake/i,
    "image-unreachable",
    "The node cannot reach the registry.",
    "Check the node's way out, or use a registry inside your network.",
  ],
];

function imageFinding(message: string, events: readonly LiveEvent[]): Finding {
  const failures = events.filter((event) => event.reason === "Failed").map((event) => event.message ?? "");
  const evidence = [...failures, message];
  const [, id, cause, remedy] = imageRules.find(([pattern]) => evidence.some((line) => pattern.test(line))) ?? [
    null,
    "image-pull",
    "The image cannot be pulled.",
    "Read the registry's answer below.",
  ];
  return { id, cause, evidence, remedy, severity: "blocker" };
}

type Ended = { exitCode?: number; reason?: string; message?: string };

function endedFinding(status: LiveContainerStatus, ended: Ended, log: string): Finding {
  const backOff = status.state?.waiting?.message;
  const facts = [
    `Container ${status.name} ended with exit code ${ended.exitCode ?? "unknown"}${ended.reason ? ` (${ended.reason})` : ""}, ${status.restartCount ?? 0} restarts.`,
  ];
  const evidence = [...facts, ...(ended.message ? [ended.message] : []), ...(backOff ? [backOff] : [])];
  if (ended.reason === "OOMKilled") {
    return {
      id: "host-memory",
      cause: "The container needed more memory (RAM, not GPU memory) than its limit.",
      evidence,
      remedy: "Raise the memory, within what the node has left; shared memory counts in it.",
      severity: "blocker",
    };
  }
  const named = logFinding(log, facts);
  if (named) return named;
  if (ended.exitCode === 137) {
    return {
      id: "killed",
      cause: "The container was killed: by its probe while the model loaded, or by the node.",
      evidence,
      remedy: "Look at the probe events; a longer startup budget or more memory helps.",
      severity: "blocker",
    };
  }
  return {
    id: "crash-loop",
    cause: "The model server starts and ends again.",
    evidence,
    remedy: "Read the log of the previous container: it holds the reason.",
    severity: "blocker",
  };
}

function mountFindings(events: readonly LiveEvent[]): Finding[] {
  const of = (...reasons: string[]) => events.filter((event) => reasons.includes(event.reason ?? "")).map((event) => event.message ?? "");
  const mounts = of("FailedMount", "FailedAttachVolume");
  const sandboxes = of("FailedCreatePodSandBox");
  const isHeld = mounts.some((line) => line.includes("Multi-Attach"));
  const found: Finding[] = [];
  if (mounts.length > 0) {
    const cause = isHeld ? "The volume is still attached to the node of another pod." : "The volume cannot be mounted on the node.";
    const remedy = isHeld
      ? "Wait until the old pod is gone, or force its end when its node is lost."
      : "Check the storage driver on the node and the text below.";
    found.push({ id: isHeld ? "volume-held" : "volume-mount", cause, evidence: mounts, remedy, severity: "blocker" });
  }
  if (sandboxes.length > 0) {
    found.push({
      id: "pod-sandbox",
      cause: "The node cannot set the pod up: often its network has no address left.",
      evidence: sandboxes,
      remedy: "Check the network plugin of the node.",
      severity: "blocker",
    });
  }
  return found;
}
