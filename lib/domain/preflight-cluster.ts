import { blocker, fine, unread, warning, type PreflightFacts, type PreflightLine } from "./preflight-facts";
import type { LiveMeta } from "./rollout-objects";

/** Provisioners of disks that attach to one node, and of file systems that many nodes mount. */
const disks = ["ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com", "kubernetes.io/aws-ebs", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", "disk.csi.azure.com", "kubernetes.io/azure-disk", "csi.scaleway.com", "rancher.io/local-path", "disk.sandbox.lectern.dev"];
const files = ["efs.csi.aws.com", "fsx.csi.aws.com", "filestore.csi.storage.gke.io", "file.csi.azure.com", "blob.csi.azure.com", "filestorage.csi.scaleway.com", "nfs.csi.k8s.io"];

export const isDisk = (provisioner: string | undefined): boolean => disks.includes(provisioner ?? "");
const isDefault = ({ metadata }: { metadata: LiveMeta }): boolean => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";

/** Storage classes: the default, the binding mode, and which can be mounted by many nodes. */
export function storageLines({ storageClasses, nodes }: PreflightFacts): PreflightLine[] {
  if (storageClasses === null) return [unread("storage-class", "storage classes")];
  const names = storageClasses.map((each) => `${each.metadata.name}: ${each.provisioner ?? "?"}, ${each.volumeBindingMode ?? "Immediate"}${isDefault(each) ? ", default" : ""}`);
  return [defaultLine(storageClasses.filter(isDefault).length, names), bindingLine(storageClasses.find(isDefault), nodes), sharedLine(storageClasses)];
}

function defaultLine(count: number, evidence: string[]): PreflightLine {
  if (count === 1) return fine("storage-class", "One storage class is the default.", evidence);
  if (evidence.length === 0) return blocker("storage-class", "The cluster has no storage class: a volume for the weights is never made.", { remedy: "Install a CSI driver and create a storage class." });
  const remedy = "Choose the storage class in the deployment; on EKS since 1.30 none is the default.";
  if (count === 0) return warning("storage-class", "No storage class is the default: a claim that names none stays unbound for ever.", { evidence, remedy });
  return warning("storage-class", `${count} storage classes are marked as default: which one is taken depends on their age.`, { evidence, remedy });
}

function bindingLine(chosen: NonNullable<PreflightFacts["storageClasses"]>[number] | undefined, nodes: PreflightFacts["nodes"]): PreflightLine {
  const zones = new Set((nodes ?? []).flatMap((node) => node.metadata.labels?.["topology.kubernetes.io/zone"] ?? []));
  if (!chosen) return fine("volume-binding", "There is no default storage class whose binding could be judged.");
  if (chosen.volumeBindingMode === "WaitForFirstConsumer") return fine("volume-binding", `${chosen.metadata.name} makes the volume where the pod is placed.`);
  const rest = { evidence: [`Zones of the nodes: ${[...zones].join(", ") || "not told"}`], remedy: "Prefer a class with volumeBindingMode WaitForFirstConsumer." };
  if (zones.size === 1 && isDisk(chosen.provisioner)) return fine("volume-binding", `${chosen.metadata.name} makes the volume at once; all nodes are in one zone.`, rest.evidence);
  return warning("volume-binding", `${chosen.metadata.name} makes the volume at once, maybe in a zone without a GPU node.`, rest);
}

function sharedLine(classes: NonNullable<PreflightFacts["storageClasses"]>): PreflightLine {
  const shared = classes.filter((each) => files.includes(each.provisioner ?? ""));
  const unknown = classes.filter((each) => !files.includes(each.provisioner ?? "") && !isDisk(each.provisioner));
  const evidence = [...shared.map((each) => `${each.metadata.name}: many nodes at once`), ...unknown.map((each) => `${each.metadata.name}: not known (${each.provisioner ?? "?"})`)];
  if (shared.length > 0) return fine("storage-rwx", "There is storage that many nodes mount at once, for more than one replica.", evidence);
  return fine("storage-rwx", "No storage is known to be mounted by many nodes at once: a deployment has one replica, or a volume of its own.", evidence);
}

type Reach = "public" | "internal" | "unknown";
const controllers: [RegExp, Reach, string][] = [
  [/webapprouting/, "public", "AKS app routing is public by default"],
  [/gce-internal|gke-l7-rilb/, "internal", "internal by its name"],
  [/(^|\/)gce$|ingress-gce/, "public", "GKE's class makes a public balancer"],
  [/alb$|alb\b/, "unknown", "public or internal by the annotation alb.ingress.kubernetes.io/scheme"],
  [/internal/, "internal", "internal by its name"],
];

function reachOf(name: string, controller: string): [Reach, string] {
  const known = controllers.find(([pattern]) => pattern.test(name) || pattern.test(controller));
  return known ? [known[1], known[2]] : ["unknown", "its class says nothing about who reaches it"];
}

/** Ingress classes, and whether what they make is public. Lectern makes no Ingress unless it is asked for. */
export function ingressLine({ ingressClasses }: PreflightFacts): PreflightLine {
  if (ingressClasses === null) return unread("ingress", "ingress classes");
  const classes = ingressClasses.map((each) => ({ name: each.metadata.name, isDefault: each.metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true", reach: reachOf(each.metadata.name, each.spec?.controller ?? "") }));
  const evidence = classes.map(({ name, isDefault: first, reach: [reach, why] }) => `${name}${first ? " (default)" : ""}: ${reach}; ${why}`);
  if (classes.some((one) => one.isDefault && one.reach[0] === "public")) return warning("ingress", "The default ingress class is public: an Ingress that names none is reached from the internet.", { evidence, remedy: "Lectern makes only a ClusterIP Service. If you add an Ingress, name an internal class." });
  return fine("ingress", classes.length === 0 ? "There is no ingress class; Lectern makes only a ClusterIP Service, reached inside the cluster." : "Lectern makes only a ClusterIP Service, reached inside the cluster.", evidence);
}

const enforcing = /^(cilium|calico-node|canal|antrea-agent|kube-router|weave-net|anetd|azure-npm|ovnkube-node|netd-policy)/;

/** Whether something enforces network policies; without it they are silently ignored. */
export function policyLine({ daemons }: PreflightFacts): PreflightLine {
  if (daemons === null) return unread("network-policy", "daemon sets");
  const found = daemons.find((daemon) => enforcing.test(daemon.metadata.name));
  const aws = daemons.find((daemon) => daemon.metadata.name === "aws-node")?.spec?.template?.spec?.containers ?? [];
  const isAwsOn = aws.some((container) => container.args?.some((arg) => /enable-network-policy=true/.test(arg)));
  if (found || isAwsOn) return fine("network-policy", `Network policies are enforced by ${found?.metadata.name ?? "the VPC CNI's policy agent"}.`);
  const evidence = [`Daemon sets: ${daemons.map((daemon) => daemon.metadata.name).join(", ") || "none"}`];
  if (aws.length > 0) return warning("network-policy", "The VPC CNI does not enforce network policies here: the model's policy is silently ignored.", { evidence, remedy: "Set enableNetworkPolicy on the VPC CNI add-on." });
  return warning("network-policy", "Nothing is known here that enforces network policies: they may be silently ignored.", { evidence, remedy: "Use a network with policy enforcement (Cilium, Calico), or prove it by a connection from another namespace." });
}

/** Karpenter or cluster-autoscaler, and whether a GPU pool may grow. */
export function growth(facts: PreflightFacts): { canGrow: boolean; line: PreflightLine } {
  const pools = facts.nodePools ?? [];
  const hasKarpenter = facts.groups.includes("karpenter.sh");
  const autoscaler = (facts.pods ?? []).find((pod) => /cluster-autoscaler/.test(pod.metadata.name));
  const full = pools.filter((pool) => Object.entries(pool.spec?.limits ?? {}).some(([name, value]) => name === "nvidia.com/gpu" && Number(value) === 0));
  const evidence = pools.map((pool) => `NodePool ${pool.metadata.name}: limits ${JSON.stringify(pool.spec?.limits ?? {})}`);
  if (hasKarpenter && (pools.length === 0 || full.length < pools.length)) return { canGrow: true, line: fine("growth", "Karpenter makes nodes on demand, from zero; its node pools decide which sizes.", evidence) };
  if (hasKarpenter) return { canGrow: false, line: warning("growth", "Karpenter is there, and its node pools allow no GPU.", { evidence, remedy: "Raise the GPU limit of a NodePool." }) };
  if (autoscaler) return { canGrow: true, line: fine("growth", "The cluster autoscaler makes nodes; a pool at zero needs its labels as tags to be found.", [`Pod ${autoscaler.metadata.name}`]) };
  const managed = (facts.nodes ?? []).some((node) => /^(gce|azure|scaleway):/.test(node.spec?.providerID ?? ""));
  if (managed) return { canGrow: false, line: fine("growth", "No autoscaler is seen inside the cluster; a managed one may run outside it, so a pool's minimum and maximum are the provider's to tell.") };
  return { canGrow: false, line: fine("growth", "Nothing makes nodes on demand: the GPUs that are there are all there are.") };
}

const addons: [id: string, group: string, there: string, absent: string][] = [
  ["keda", "keda.sh", "KEDA is there: scaling on the queue's length is possible.", "KEDA is not installed: the number of replicas stays fixed."],
  ["prometheus", "monitoring.coreos.com", "The Prometheus operator is there: the model can be scraped.", "The Prometheus operator is not installed: no PodMonitor is made."],
  ["metrics", "metrics.k8s.io", "The metrics API is there: CPU and memory of pods are shown.", "The metrics API is not installed: CPU and memory of pods are not shown."],
];

export function addonLines({ groups }: PreflightFacts): PreflightLine[] {
  return addons.map(([id, group, there, absent]) => fine(id, groups.includes(group) ? there : absent, groups.includes(group) ? [`API group ${group}`] : []));
}
