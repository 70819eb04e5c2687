import "server-only";
import { z } from "zod";
import { readDeployment, type Found } from "@/lib/domain/adoption";
import { modelById, skuById } from "@/lib/domain/catalog";
import { engineOf } from "@/lib/domain/catalog-engine";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import { foreignManagers } from "@/lib/domain/field-owners";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import type { Db } from "@/lib/platform/db";
import type { Kube } from "@/lib/platform/kube";
import { kubeOfEnvironment } from "./clusters";
import { gitOpsKeyOf, type LiveObject } from "./deployment-live";
import { deploymentsPreview } from "./deployment-preview";
import { read } from "./operation";
import { execute } from "./pipeline";

const Where = z.strictObject({ environmentId: z.uuid() });
const Manager = z.strictObject({ key: z.string().max(200), manager: z.string().max(128) });
const Candidate = z.strictObject({
  name: z.string(),
  image: z.string(),
  engineName: z.string(),
  modelName: z.string(),
  skuId: z.string().nullable(),
  skuName: z.string().nullable(),
  replicas: z.int(),
  managers: z.array(z.string()),
  notes: z.array(z.string()),
  problem: z.string().nullable(),
});

type Standing = { found: Found; live: LiveObject; deploymentId: string };
const readable = { apiVersion: "v1" } as const;

/** Deployments of the namespace that serve LightOnOCR and belong to no deployment of Lectern. */
async function standingIn(db: Db, environmentId: string): Promise<Standing[]> {
  const { kube, namespace } = await kubeOfEnvironment(db, environmentId);
  const { items } = await kube.list<LiveObject>({ apiVersion: "apps/v1", resource: "deployments", namespace });
  const labels = items.flatMap((live) => live.metadata.labels?.[deploymentLabel] ?? []).filter((label) => z.uuid().safeParse(label).success);
  const [known, taken] = await Promise.all([
    db.deployment.findMany({ where: { id: { in: labels } }, select: { id: true, environmentId: true } }),
    db.deployment.findMany({ where: { environmentId, deletedAt: null }, select: { name: true } }),
  ]);
  const ours = new Set(known.filter((row) => row.environmentId === environmentId).map((row) => row.id));
  const names = new Set(taken.map((row) => row.name));
  const free = items.filter(({ metadata }) => !names.has(metadata.name) && !ours.has(metadata.labels?.[deploymentLabel] ?? ""));
  const read = await Promise.all(free.map((live) => standing(kube, live, new Set(known.map((row) => row.id)))));
  return read.filter((each) => each !== null);
}

async function standing(kube: Kube, live: LiveObject, takenIds: ReadonlySet<string>): Promise<Standing | null> {
  const nothingAround = readDeployment(live, { nodeLabels: null, claim: null });
  if (!nothingAround) return null;
  const { namespace, name } = live.metadata;
  const claim = await kube.get<LiveObject>({ ...readable, resource: "persistentvolumeclaims", namespace, name: `${name}-weights` }).catch(() => null); // not there, or not ours to see
  const nodeLabels = nothingAround.skuId === null ? await nodeLabelsOf(kube, live) : null;
  const found = readDeployment(live, { nodeLabels, claim }) ?? nothingAround;
  const { labelledId } = found;
  const gitOps = gitOpsKeyOf(live);
  const isTaken = labelledId !== null && (takenIds.has(labelledId) || !z.uuid().safeParse(labelledId).success);
  const problem = gitOps ? `A GitOps tool keeps it (${gitOps}) and would revert what Lectern applies: take it out there first.` : isTaken ? "Its selector carries the id of another deployment of Lectern, and a cluster never lets a selector change." : found.problem;
  // The object's own uid names it: the same question has the same digest, whoever asks.
  return { found: { ...found, problem }, live, deploymentId: labelledId !== null && !isTaken ? labelledId : live.metadata.uid };
}

/** Labels of the node of one of its pods; null where none runs, or Lectern may not look. */
async function nodeLabelsOf(kube: Kube, live: LiveObject): Promise<Record<string, string> | null> {
  const { selector } = live.spec as { selector?: { matchLabels?: Record<string, string> } }; // apps/v1 asks for it
  const labelSelector = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`).join(",");
  const pods = await kube.list<{ metadata: { name: string }; spec?: { nodeName?: string } }>({ ...readable, resource: "pods", namespace: live.metadata.namespace }, { labelSelector }).catch(() => null);
  const name = pods?.items.find((pod) => pod.spec?.nodeName)?.spec?.nodeName;
  if (name === undefined) return null;
  const node = await kube.get<{ metadata: { labels?: Record<string, string> } }>({ ...readable, resource: "nodes", name }).catch(() => null);
  return node?.metadata.labels ?? null;
}

export const adoptionList = read({
  name: "adoption.list",
  summary: "Deployments in an environment's namespace that serve LightOnOCR and that somebody applied past Lectern",
  permission: "deployment.preview",
  environment: async (input) => input.environmentId,
  input: Where,
  output: z.strictObject({ candidates: z.array(Candidate) }),
  run: async ({ db, input }) => ({
    candidates: (await standingIn(db, input.environmentId)).map(({ found, live }) => ({
      name: found.name,
      image: found.image,
      engineName: engineOf(found).name,
      modelName: modelById(found.modelId).name,
      skuId: found.skuId,
      skuName: found.skuId === null ? null : skuById(found.skuId).name,
      replicas: found.replicas,
      managers: foreignManagers(live),
      notes: found.notes,
      problem: found.problem,
    })),
  }),
});

export const adoptionPreview = read({
  name: "adoption.preview",
  summary: "What taking such a deployment over would change, field by field with its owner; deployments.apply makes it revision 1",
  permission: "deployment.apply",
  environment: async (input) => input.environmentId,
  input: Where.extend({ name: z.string().max(253), skuId: z.string().max(100).optional().describe("The GPU size it runs on, where it does not say."), takeOver: z.array(Manager).max(50).default([]) }),
  output: deploymentsPreview.output.extend({ notes: z.array(z.string()) }),
  run: async ({ caller, db, input, now }) => {
    const { environmentId, takeOver } = input;
    const one = (await standingIn(db, environmentId)).find(({ found }) => found.name === input.name);
    if (!one) throw notFound("deployment to take over");
    const { found } = one;
    if (found.problem) throw new DomainError("unprocessable", found.problem);
    const skuId = input.skuId ?? found.skuId;
    if (skuId === null) throw new DomainError("unprocessable", "Choose the GPU size that it runs on: neither it nor its node names one of the catalogue.");
    const spec = specOf({ ...found.spec, skuId });
    const answer = await execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId: one.deploymentId, spec, note: "Takes over what was applied by hand", takeOver, adopt: true }, now });
    return { ...answer, notes: found.notes };
  },
});

function specOf(input: z.input<typeof DeploymentSpec>): DeploymentSpec {
  const parsed = DeploymentSpec.safeParse(input);
  if (!parsed.success) throw new DomainError("unprocessable", `What stands there cannot be a deployment of Lectern as it is: ${parsed.error.issues[0]?.message ?? ""}`);
  return parsed.data;
}
