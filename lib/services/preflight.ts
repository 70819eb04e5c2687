import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { manifests } from "@/lib/domain/manifest";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { preflight } from "@/lib/domain/preflight";
import { blocker, type PreflightFacts, type PreflightLine } from "@/lib/domain/preflight-facts";
import { gpuPools } from "@/lib/domain/preflight-gpu";
import type { Db } from "@/lib/platform/db";
import { problemOf } from "./cluster-health";
import { kubeOf, kubeOfEnvironment } from "./clusters";
import { visibleCluster } from "./clusters-read";
import { environmentById } from "./environment-rows";
import { read } from "./operation";
import { preflightFacts } from "./preflight-facts";

const Line = z.strictObject({ id: z.string(), level: z.enum(["fine", "warning", "blocker"]), text: z.string(), evidence: z.array(z.string()), remedy: z.string() });
const Pool = z.strictObject({
  product: z.string(),
  memoryMib: z.number().nullable(),
  instanceType: z.string(),
  nodes: z.number().int(),
  total: z.number(),
  /** Null when Lectern may not list pods. */
  free: z.number().nullable(),
  isShared: z.boolean(),
  taints: z.array(z.string()),
});

/** A cluster that cannot be asked is one blocker, not an error: the page shows the rest. */
async function judged(facts: Promise<PreflightFacts>, objects?: readonly KubeObject[]): Promise<{ lines: PreflightLine[]; facts: PreflightFacts | null }> {
  try {
    const known = await facts;
    return { lines: preflight(known, objects), facts: known };
  } catch (error) {
    return { lines: [blocker("cluster", problemOf(error), { remedy: "Look at the cluster under Clusters: its health, its credential, and the way to it." })], facts: null };
  }
}

/** Preflight of manifests that are about to be applied in an environment, overrides included. */
export async function preflightOfObjects(db: Db, environmentId: string, objects?: readonly KubeObject[]): Promise<PreflightLine[]> {
  const facts = kubeOfEnvironment(db, environmentId).then(({ kube, namespace }) => preflightFacts(kube, namespace));
  return (await judged(facts, objects)).lines;
}

/** Preflight of an environment's cluster and namespace and, with a spec, of that deployment there: worst first, each with evidence and remedy. */
export async function preflightOf(db: Db, environmentId: string, spec?: DeploymentSpec): Promise<PreflightLine[]> {
  if (!spec) return preflightOfObjects(db, environmentId);
  const { namespace } = await environmentById(db, environmentId);
  // Pods of the same deployment do not take a GPU away from its next revision: they are found by its id.
  const before = await db.deployment.findFirst({ where: { environmentId, name: spec.name, deletedAt: null }, select: { id: true } });
  return preflightOfObjects(db, environmentId, manifests(spec, { namespace, environmentId, deploymentId: before?.id ?? "new", revision: 1, portalNamespace: null }));
}

export const preflightGet = read({
  name: "preflight.get",
  summary: "Whether an environment's cluster is ready for a deployment: each line with evidence and remedy",
  permission: "deployment.preview",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid(), spec: DeploymentSpec.optional() }),
  output: z.strictObject({ lines: z.array(Line) }),
  run: async ({ db, input }) => ({ lines: await preflightOf(db, input.environmentId, input.spec) }),
});

export const preflightCluster = read({
  name: "preflight.cluster",
  summary: "What a cluster has: GPUs by product, and everything that a deployment meets there",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ clusterId: z.uuid() }),
  output: z.strictObject({ lines: z.array(Line), pools: z.array(Pool) }),
  run: async ({ caller, db, input }) => {
    const row = await visibleCluster(db, caller.actor, input.clusterId);
    const [namespace = "lectern"] = row.environments.map((one) => one.namespace);
    const { lines, facts } = await judged(kubeOf(db, row.id).then((kube) => preflightFacts(kube, namespace)));
    return { lines, pools: facts ? gpuPools(facts) : [] };
  },
});
