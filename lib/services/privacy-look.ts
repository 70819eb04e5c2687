import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import { privacyFacts, regressions, type PrivacyFact } from "@/lib/domain/privacy";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow } from "./deployment-rows";
import { publish } from "./live";
import { settlePrivacy } from "./privacy-alerts";

const Verdict = z.enum(["proved", "broken", "not_proved"]);

type Loose = Record<string, unknown>;
type Object_ = Loose & { metadata: { name: string; resourceVersion?: string; labels?: Record<string, string> }; spec?: Loose };
type Ref = { apiVersion: string; resource: string; namespace?: string };

/** What Lectern may not list, or the cluster does not serve, is null: not proved, and not wrong. */
async function listOrNull(kube: Kube, ref: Ref): Promise<Object_[] | null> {
  try {
    return (await kube.list<Object_>(ref)).items;
  } catch (error) {
    if (error instanceof KubeStatusError && [401, 403, 404, 405].includes(error.status)) return null;
    throw error;
  }
}

/** Whether a selector of labels picks a pod with these. */
function selects(selector: unknown, labels: Record<string, string>): boolean {
  if (typeof selector !== "object" || selector === null) return false;
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

async function gather(kube: Kube, at: { namespace: string; deploymentId: string; retentionHours: number }) {
  const { namespace } = at;
  const inNamespace = (apiVersion: string, resource: string) => listOrNull(kube, { apiVersion, resource, namespace });
  const [deployments, services, ingresses, policies, pods, nodes, roleBindings] = await Promise.all([
    inNamespace("apps/v1", "deployments"),
    inNamespace("v1", "services"),
    inNamespace("networking.k8s.io/v1", "ingresses"),
    inNamespace("networking.k8s.io/v1", "networkpolicies"),
    inNamespace("v1", "pods"),
    listOrNull(kube, { apiVersion: "v1", resource: "nodes" }),
    inNamespace("rbac.authorization.k8s.io/v1", "rolebindings"),
  ]);
  const isOwn = (object: Object_) => object.metadata.labels?.[deploymentLabel] === at.deploymentId;
  const deployment = deployments?.find(isOwn) ?? null;
  const template = (deployment?.spec?.template ?? {}) as { metadata?: { labels?: Record<string, string> } };
  const labels = template.metadata?.labels ?? {};
  const placed = new Set((pods ?? []).filter(isOwn).flatMap((pod) => (typeof pod.spec?.nodeName === "string" ? [pod.spec.nodeName] : [])));
  return {
    deployment,
    services: (services ?? []).filter((service) => selects(service.spec?.selector, labels)),
    ingresses,
    policies: (policies ?? []).filter((policy) => selects((policy.spec?.podSelector as Loose | undefined)?.matchLabels ?? {}, labels)),
    nodes: nodes ? nodes.filter((node) => placed.has(node.metadata.name)).map((node) => ({ name: node.metadata.name, region: node.metadata.labels?.["topology.kubernetes.io/region"] ?? "" })) : null,
    roleBindings,
    retentionHours: at.retentionHours,
  };
}

export type Checked = { facts: PrivacyFact[]; firstAt: Date; at: Date; worse: PrivacyFact[] };

/** Looks at the live objects of a deployment and keeps what was found; a row of its own begins when the facts change. */
export async function checkPrivacy(db: Db, deploymentId: string, now: Date): Promise<Checked> {
  const row = await deploymentRow(db, deploymentId);
  const { retentionHours } = await db.environment.findUniqueOrThrow({ where: { id: row.environmentId }, select: { retentionHours: true } });
  const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
  const probed = await db.privacyProbe.findFirst({ where: { deploymentId, at: { gt: new Date(0) } } });
  const probe = probed ? { verdict: Verdict.parse(probed.verdict), sentence: probed.sentence, at: probed.at.toISOString() } : null;
  const facts = privacyFacts({ ...(await gather(kube, { namespace, deploymentId, retentionHours })), probe });
  const before = await db.privacyCheck.findFirst({ where: { deploymentId }, orderBy: { at: "desc" } });
  const known = (before?.facts ?? []) as PrivacyFact[]; // written below
  if (before && JSON.stringify(known) === JSON.stringify(facts)) {
    await db.privacyCheck.update({ where: { id: before.id }, data: { at: now } });
    return { facts, firstAt: before.firstAt, at: now, worse: [] };
  }
  await db.$transaction(async (tx) => {
    await tx.privacyCheck.create({ data: { deploymentId, facts, firstAt: now, at: now } });
    await publish(tx, `deployment:${deploymentId}`, { data: { privacy: true } });
  });
  const worse = regressions(known, facts);
  await settlePrivacy(db, row, { facts, worse, now });
  return { facts, firstAt: now, at: now, worse };
}

/** Checks every deployment that has been applied; a cluster that is away leaves the last check with its time. */
export async function checkAllPrivacy(db: Db, now: Date): Promise<void> {
  const rows = await db.deployment.findMany({ where: { deletedAt: null, environment: { clusterId: { not: null } }, revisions: { some: {} } }, select: { id: true } });
  for (const { id } of rows) {
    await checkPrivacy(db, id, now).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
}
