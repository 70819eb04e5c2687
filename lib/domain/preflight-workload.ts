import { matchesSelector, isTolerated } from "./finding-node";
import type { KubeObject } from "./manifest/kube-object";
import { isDisk } from "./preflight-cluster";
import { blocker, fine, GPU, unread, warning, type PreflightFacts, type PreflightLine, type PreflightNode } from "./preflight-facts";
import { askedBy, askedOn, gpusOf, isShared, isUsable } from "./preflight-gpu";
import { roomOn } from "./preflight-node";
import type { LivePod } from "./rollout-objects";

/** What is about to be deployed, as the scheduler and the API server will see it: read from the manifests, so overrides count. */
export type Workload = {
  pod: LivePod;
  replicas: number;
  strategy: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
  selector: Record<string, string>;
  runtimeClassName: string | undefined;
  claim: { storageClass: string | undefined; accessModes: string[]; storage: string } | null;
};

type DeploymentFields = {
  replicas?: number;
  strategy?: Workload["strategy"];
  selector?: { matchLabels?: Record<string, string> };
  template?: { spec?: NonNullable<LivePod["spec"]> & { runtimeClassName?: string } };
};
type ClaimFields = { accessModes?: string[]; storageClassName?: string; resources?: { requests?: { storage?: string } } };

/** The workload in a set of manifests; null when there is no Deployment among them. */
export function workloadOf(objects: readonly KubeObject[], namespace: string): Workload | null {
  const deployment = objects.find((object) => object.kind === "Deployment");
  if (!deployment) return null;
  const fields = deployment.spec as DeploymentFields; // the fields of a Deployment (Kubernetes API reference), all optional here
  const claim = objects.find((object) => object.kind === "PersistentVolumeClaim")?.spec as ClaimFields | undefined; // likewise
  return {
    pod: { metadata: { name: deployment.metadata.name, namespace }, spec: fields.template?.spec ?? {} },
    replicas: fields.replicas ?? 1,
    strategy: fields.strategy ?? {},
    selector: fields.selector?.matchLabels ?? {},
    runtimeClassName: fields.template?.spec?.runtimeClassName,
    claim: claim ? { storageClass: claim.storageClassName, accessModes: claim.accessModes ?? [], storage: claim.resources?.requests?.storage ?? "0" } : null,
  };
}

/** Pods of an earlier revision of the same deployment. */
export function ownPods({ pods, namespace }: PreflightFacts, { selector }: Workload): LivePod[] {
  const keys = Object.entries(selector);
  if (keys.length === 0) return [];
  return (pods ?? []).filter((pod) => pod.metadata.namespace === namespace && keys.every(([key, value]) => pod.metadata.labels?.[key] === value));
}

/** Whether a node can take the pods, what their strategy does on it, and whether their volume can be made. */
export function workloadLines(facts: PreflightFacts, workload: Workload, canGrow: boolean): PreflightLine[] {
  return [...placementLines(facts, workload, canGrow), strategyLine(facts, workload), ...claimLines(facts, workload)];
}

const names = (nodes: readonly PreflightNode[]) => nodes.slice(0, 6).map((node) => node.metadata.name).join(", ");
type Taint = NonNullable<NonNullable<PreflightNode["spec"]>["taints"]>[number];
const show = (taint: Taint) => `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`;

function placementLines(facts: PreflightFacts, workload: Workload, canGrow: boolean): PreflightLine[] {
  if (facts.nodes === null) return [unread("placement", "nodes")];
  if (workload.replicas === 0) return [fine("placement", "The deployment is stopped: it needs no node.")];
  const matching = facts.nodes.filter((node) => isUsable(node) && matchesSelector(node, workload.pod));
  const wanted = Object.entries(workload.pod.spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  if (matching.length === 0) {
    const rest = { evidence: wanted.length > 0 ? [`Asked for: ${wanted.join(", ")}`] : [], remedy: "Choose a size that the cluster has, or add a pool of it." };
    const text = "No node has the labels of the chosen size";
    return [canGrow ? warning("placement", `${text}; the autoscaler must make one.`, rest) : blocker("placement", `${text}, and nothing makes one.`, rest)];
  }
  const open = matching.filter((node) => (node.spec?.taints ?? []).every((taint) => isTolerated(taint, workload.pod)));
  if (open.length === 0) {
    const taints = matching.flatMap((node) => (node.spec?.taints ?? []).filter((taint) => !isTolerated(taint, workload.pod)).map((taint) => `Node ${node.metadata.name}: ${show(taint)}`));
    return [fine("placement", `${matching.length} nodes have the labels of the chosen size.`, [names(matching)]), blocker("toleration", "Every node of the chosen size has a taint that the pod does not tolerate.", { evidence: taints.slice(0, 8), remedy: "Add the toleration to the pod, or remove the taint from the pool." })];
  }
  return [fine("placement", `${matching.length} ${matching.length === 1 ? "node has" : "nodes have"} the labels of the chosen size.`, [names(matching)]), fine("toleration", `The pod tolerates the taints of ${open.length} of them.`), ...capacityLines(facts, workload, { open, canGrow })];
}

function capacityLines(facts: PreflightFacts, workload: Workload, { open, canGrow }: { open: PreflightNode[]; canGrow: boolean }): PreflightLine[] {
  const each = askedBy(workload.pod, GPU);
  const whole = open.filter((node) => !isShared(node) && gpusOf(node) >= each);
  if (each > 0 && whole.length === 0) {
    const evidence = open.slice(0, 6).map((node) => `Node ${node.metadata.name} can give ${GPU} ${gpusOf(node)}${isShared(node) ? ", shared" : ""}.`);
    return [blocker("free-gpu", "No node of the chosen size can give a whole GPU.", { evidence, remedy: "Install the device plugin there, or switch sharing off: the model needs the whole card's memory." })];
  }
  return [freeLine(facts, workload, { whole, canGrow, each }), requestLine(facts, workload, whole)];
}

function freeLine(facts: PreflightFacts, workload: Workload, { whole, canGrow, each }: { whole: PreflightNode[]; canGrow: boolean; each: number }): PreflightLine {
  if (facts.pods === null) return warning("free-gpu", "Lectern may not list pods of other namespaces, so it does not know whether a GPU is free.", { remedy: "Give Lectern the read-only ClusterRole of the ready manifest." });
  const own = ownPods(facts, workload);
  const others = facts.pods.filter((pod) => !own.includes(pod));
  const slots = whole.reduce((sum, node) => sum + (each === 0 ? 1 : Math.floor(Math.max(0, gpusOf(node) - askedOn(node, others, GPU)) / each)), 0);
  const text = `${slots} of ${workload.replicas} ${workload.replicas === 1 ? "replica finds" : "replicas find"} a free GPU`;
  if (slots >= workload.replicas) return fine("free-gpu", "A GPU is free for every replica.", [`Free for this deployment: ${slots} on ${names(whole)}${own.length > 0 ? ", counting what it holds now" : ""}`]);
  const holders = others.filter((pod) => whole.some((node) => node.metadata.name === pod.spec?.nodeName) && askedBy(pod, GPU) > 0).map((pod) => `${pod.metadata.namespace ?? ""}/${pod.metadata.name} holds one on ${pod.spec?.nodeName ?? ""}`);
  const rest = { evidence: holders.slice(0, 8), remedy: "Stop another deployment, add nodes, or ask for fewer replicas." };
  return canGrow ? warning("free-gpu", `${text}; the autoscaler must make nodes for the rest.`, rest) : blocker("free-gpu", `${text}, and nothing makes another node.`, rest);
}

function requestLine(facts: PreflightFacts, workload: Workload, whole: PreflightNode[]): PreflightLine {
  const [cpu, memory] = [Math.round(askedBy(workload.pod, "cpu") * 1000), Math.ceil(askedBy(workload.pod, "memory") / 2 ** 20)];
  const rooms = whole.map((node) => ({ node, ...roomOn(node, facts.pods) }));
  const evidence = [`Asked for: ${cpu}m CPU, ${memory} MiB`, ...rooms.slice(0, 5).map((room) => `Node ${room.node.metadata.name} leaves ${room.cpuMillis}m CPU and ${room.memoryMib} MiB when its daemons have theirs.`)];
  if (rooms.some((room) => room.cpuMillis >= cpu && room.memoryMib >= memory)) return fine("request", "CPU and memory fit beside the daemons of the node.", evidence);
  return blocker("request", "The pod asks for more CPU or memory than any node of the size has left: it would wait for ever.", { evidence, remedy: "Ask for less, or choose a larger size." });
}

/** A surge pod waits for the GPU and the disk that the old pod holds, and the old one waits for it. */
function strategyLine(facts: PreflightFacts, workload: Workload): PreflightLine {
  const { type = "RollingUpdate", rollingUpdate = {} } = workload.strategy;
  if (type === "Recreate") return fine("strategy", "An update ends the old pod first: no deadlock, and no service while the model loads.");
  const isSurging = !["0", "0%"].includes(String(rollingUpdate.maxSurge ?? "25%"));
  const keepsAll = ["0", "0%"].includes(String(rollingUpdate.maxUnavailable ?? "25%")) || (String(rollingUpdate.maxUnavailable ?? "25%").endsWith("%") && workload.replicas * parseInt(String(rollingUpdate.maxUnavailable ?? "25%"), 10) < 100);
  const evidence = [`maxSurge ${rollingUpdate.maxSurge ?? "25%"}, maxUnavailable ${rollingUpdate.maxUnavailable ?? "25%"}, ${workload.replicas} replicas`];
  const holdsDisk = workload.claim !== null && !workload.claim.accessModes.some((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
  const remedy = "Use the strategy Recreate, or maxSurge 0 with maxUnavailable 1 on storage that many nodes mount.";
  if (holdsDisk) return blocker("strategy", "A rolling update on a ReadWriteOnce volume deadlocks: the new pod waits for the volume that the old one holds.", { evidence, remedy });
  const spare = (facts.nodes ?? []).filter((node) => matchesSelector(node, workload.pod)).reduce((sum, node) => sum + Math.max(0, gpusOf(node) - askedOn(node, facts.pods ?? [], GPU)), 0);
  if (isSurging && keepsAll && spare <= workload.replicas - ownPods(facts, workload).length) return blocker("strategy", "A rolling update needs one GPU more than there is: the new pod would wait for ever.", { evidence, remedy });
  return fine("strategy", "An update replaces one pod after the other within the GPUs that there are.", evidence);
}

function claimLines({ storageClasses }: PreflightFacts, { claim, replicas }: Workload): PreflightLine[] {
  if (claim === null) return [];
  if (storageClasses === null) return [unread("claim", "storage classes")];
  const marked = storageClasses.filter((each) => each.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true");
  const chosen = claim.storageClass === undefined ? marked[0] : storageClasses.find((each) => each.metadata.name === claim.storageClass);
  const evidence = [`Storage classes: ${storageClasses.map((each) => each.metadata.name).join(", ") || "none"}`];
  if (!chosen && claim.storageClass !== undefined) return [blocker("claim", `There is no storage class ${claim.storageClass}: the volume is never made.`, { evidence, remedy: "Choose one that the cluster has." })];
  if (!chosen) return [blocker("claim", "The claim names no storage class and none is the default: the volume is never made.", { evidence, remedy: "Choose a storage class." })];
  const isMany = claim.accessModes.includes("ReadWriteMany");
  if (isMany && isDisk(chosen.provisioner)) return [blocker("claim", `${chosen.metadata.name} makes disks, which attach to one node: it cannot serve ReadWriteMany.`, { evidence: [`Provisioner ${chosen.provisioner ?? ""}`], remedy: "Choose a file system's class, or ReadWriteOnce with one replica." })];
  if (!isMany && replicas > 1) return [blocker("claim", `${replicas} replicas cannot share a ReadWriteOnce volume on several nodes.`, { evidence, remedy: "Use one replica, or a class for ReadWriteMany." })];
  return [fine("claim", `The volume of ${claim.storage} is made by ${chosen.metadata.name}.`, evidence)];
}
