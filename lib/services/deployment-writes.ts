import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { fits } from "@/lib/domain/fit";
import type { Db, Tx } from "@/lib/platform/db";
import { applyRevision, removeDeployment } from "./deployment-apply";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { environmentById } from "./environment-rows";
import { write } from "./operation";
import { render, type Rendered } from "./rendering";

const Done = z.strictObject({ deploymentId: z.uuid(), rolloutId: z.uuid().nullable() });
const One = z.strictObject({ id: z.uuid() });

function assertFits(spec: DeploymentSpec): void {
  const fit = fits(modelById(spec.modelId), skuById(spec.skuId), { spot: spec.spot, ...(spec.maxModelLen ? { maxModelLen: spec.maxModelLen } : {}) });
  const blocker = fit.reasons.find((reason) => reason.level === "blocker");
  if (blocker) throw new DomainError("unprocessable", blocker.text);
}

type Creation = { environmentId: string; deploymentId: string; spec: DeploymentSpec; rendered: Rendered; userId: string | null };

async function insertRows(tx: Tx, creation: Creation): Promise<string> {
  const { deploymentId, environmentId, spec, rendered, userId } = creation;
  const taken = await tx.deployment.findFirst({ where: { environmentId, name: spec.name, deletedAt: null }, select: { id: true } });
  if (taken) throw new DomainError("conflict", `This environment already has a deployment named ${spec.name}. Choose another name, or change that one.`);
  await tx.deployment.create({ data: { id: deploymentId, environmentId, name: spec.name, spec, createdById: userId, message: "Applying the manifests" } });
  const revision = await tx.revision.create({
    data: { deploymentId, number: 1, spec, manifests: JSON.parse(JSON.stringify(rendered.objects)), digest: rendered.digest, createdById: userId },
  });
  const rollout = await tx.rollout.create({ data: { revisionId: revision.id, state: "applying" } });
  return rollout.id;
}

/** The rollout of the same call made before, if this is a repetition. */
async function repeated(db: Db, deploymentId: string): Promise<{ rolloutId: string | null } | undefined> {
  const row = await db.deployment.findUnique({ where: { id: deploymentId }, include: { revisions: { include: { rollouts: true } } } });
  return row ? { rolloutId: row.revisions[0]?.rollouts[0]?.id ?? null } : undefined;
}

export const deploymentsCreate = write({
  name: "deployments.create",
  summary: "Deploy a model: apply exactly what was previewed",
  permission: "deployment.apply",
  environment: async (input) => input.environmentId,
  effect: "outside",
  input: z.strictObject({ environmentId: z.uuid(), deploymentId: z.uuid(), spec: DeploymentSpec, digest: z.string().regex(/^[0-9a-f]{64}$/, "Give the digest that deployments.preview answered.") }),
  output: Done,
  target: (input) => ({ type: "deployment", id: input.deploymentId, name: input.spec.name, detail: { digest: input.digest, modelId: input.spec.modelId, skuId: input.spec.skuId } }),
  run: async ({ caller, db, input }) => {
    const before = await repeated(db, input.deploymentId);
    if (before) return { deploymentId: input.deploymentId, rolloutId: before.rolloutId };
    assertFits(input.spec);
    const environment = await environmentById(db, input.environmentId);
    if (!environment.clusterId) throw new DomainError("unprocessable", `${environment.name} has no cluster. Link one first.`);
    const rendered = render(input.spec, { namespace: environment.namespace, environmentId: environment.id, deploymentId: input.deploymentId, revision: 1 });
    if (rendered.digest !== input.digest) throw new DomainError("conflict", "What would be applied is not what was previewed. Look at the preview again, then deploy.");
    const rolloutId = await db.$transaction((tx) => insertRows(tx, { ...input, rendered, userId: caller.actor.userId }));
    await applyRevision(db, { deploymentId: input.deploymentId, rolloutId, objects: rendered.objects });
    return { deploymentId: input.deploymentId, rolloutId };
  },
});

/** Applies the newest revision again with that many replicas. */
async function scale(db: Db, deploymentId: string, replicas: "none" | "as before"): Promise<void> {
  const row = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirstOrThrow({ where: { deploymentId }, orderBy: { number: "desc" } });
  const wanted = DeploymentSpec.parse(revision.spec);
  const spec = replicas === "none" ? { ...wanted, replicas: 0 } : wanted;
  const { objects } = render(spec, { namespace: row.environment.namespace, environmentId: row.environmentId, deploymentId, revision: revision.number });
  await db.deployment.update({ where: { id: deploymentId }, data: { spec } });
  await applyRevision(db, { deploymentId, rolloutId: null, objects });
}

export const deploymentsStop = write({
  name: "deployments.stop",
  summary: "Stop a deployment: its pods end, its volume stays",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "outside",
  input: One,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ db, input }) => {
    await scale(db, input.id, "none");
    return input;
  },
});

export const deploymentsStart = write({
  name: "deployments.start",
  summary: "Start a stopped deployment again",
  permission: "deployment.stop",
  environment: environmentOfDeployment,
  effect: "outside",
  input: One,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ db, input }) => {
    await scale(db, input.id, "as before");
    return input;
  },
});

export const deploymentsDelete = write({
  name: "deployments.delete",
  summary: "Delete a deployment with its volume; its usage and costs stay",
  permission: "deployment.delete",
  environment: environmentOfDeployment,
  effect: "outside",
  input: One,
  output: One,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ db, input, now }) => {
    await removeDeployment(db, input.id, now);
    return input;
  },
});
