import type { LiveMeta, LiveNode, LivePod } from "./rollout-objects";

/** The fields of cluster objects that preflight reads; all may be missing. */
export type PreflightNode = LiveNode & { spec?: LiveNode["spec"] & { providerID?: string } };
export type PreflightDaemon = { metadata: LiveMeta; spec?: { template?: { spec?: { containers?: { name: string; image?: string; args?: string[] }[] } } } };
export type PreflightStorageClass = { metadata: LiveMeta; provisioner?: string; volumeBindingMode?: string };
export type PreflightIngressClass = { metadata: LiveMeta; spec?: { controller?: string } };
export type PreflightQuota = { metadata: LiveMeta; spec?: { hard?: Record<string, string> }; status?: { hard?: Record<string, string>; used?: Record<string, string> } };
export type PreflightLimit = { metadata: LiveMeta; spec?: { limits?: { type: string; max?: Record<string, string>; min?: Record<string, string> }[] } };
export type PreflightNodePool = { metadata: LiveMeta; spec?: { limits?: Record<string, string>; template?: { spec?: { requirements?: { key: string; operator: string; values?: string[] }[] } } } };

/** What was read from a cluster. Null: Lectern's credential may not read it, which is said and never taken for "none". */
export type PreflightFacts = {
  namespace: string;
  nodes: PreflightNode[] | null;
  pods: LivePod[] | null;
  daemons: PreflightDaemon[] | null;
  runtimeClasses: { metadata: LiveMeta }[] | null;
  storageClasses: PreflightStorageClass[] | null;
  ingressClasses: PreflightIngressClass[] | null;
  nodePools: PreflightNodePool[] | null;
  quotas: PreflightQuota[] | null;
  limits: PreflightLimit[] | null;
  /** "absent": it does not exist yet. */
  namespaceLabels: Record<string, string> | "absent" | null;
  /** The API groups that the cluster serves. */
  groups: string[];
};

/** One answer of preflight: what was found, on what it rests, and what to do. */
export type PreflightLine = { id: string; level: "fine" | "warning" | "blocker"; text: string; evidence: string[]; remedy: string };

export const GPU = "nvidia.com/gpu";

export function fine(id: string, text: string, evidence: string[] = []): PreflightLine {
  return { id, level: "fine", text, evidence, remedy: "" };
}
export function warning(id: string, text: string, rest: { evidence?: string[]; remedy: string }): PreflightLine {
  return { id, level: "warning", text, evidence: rest.evidence ?? [], remedy: rest.remedy };
}
export function blocker(id: string, text: string, rest: { evidence?: string[]; remedy: string }): PreflightLine {
  return { id, level: "blocker", text, evidence: rest.evidence ?? [], remedy: rest.remedy };
}

/** The line for what the credential may not read. */
export function unread(id: string, what: string): PreflightLine {
  return warning(id, `Lectern may not read ${what} here, so this is not checked.`, { remedy: "Give Lectern the read-only ClusterRole of the ready manifest (Clusters, Rights)." });
}

export const nodeLabel = (node: PreflightNode, key: string): string | undefined => node.metadata.labels?.[key];
