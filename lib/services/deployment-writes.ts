import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { assertApproved } from "./approvals";
import { assertBudget } from "./budgets";
import { assertUndrifted, carryOut } from "./deployment-apply";
import { assertDeliberate } from "./deployment-deliberate";
import { Digest, environmentOfPreview } from "./deployment-preview";
import { environmentOfDeployment } from "./deployment-rows";
import { environmentById } from "./environment-rows";
import { write } from "./operation";
import { markApplying, takeTurn } from "./rollout-progress";

const Done = z.strictObject({ deploymentId: z.uuid(), rolloutId: z.uuid() });

type Preview = NonNullable<Awaited<ReturnType<typeof findPreview>>>;

function findPreview(db: Db | Tx, digest: string) {
  return db.preview.findUnique({ where: { digest } });
}

/** The rollout that a preview became, when the same person asks again; somebody else is told whose it was. */
async function repeated(db: Db | Tx, preview: Preview, userId: string | null): Promise<z.infer<typeof Done> | null> {
  if (!preview.appliedAt) return null;
  const rollout = await db.rollout.findFirst({ where: { revision: { deploymentId: preview.deploymentId, number: preview.number } }, orderBy: { startedAt: "asc" } });
  if (rollout && preview.appliedById === userId) return { deploymentId: preview.deploymentId, rolloutId: rollout.id };
  throw new DomainError("conflict", `${await nameOf(db, preview.appliedById)} has applied exactly this already. Look at the deployment to see how it goes.`);
}

async function nameOf(db: Db | Tx, userId: string | null): Promise<string> {
  const person = userId === null ? null : await db.user.findUnique({ where: { id: userId }, select: { name: true } });
  return person?.name ?? "Lectern";
}

type Beginning = { preview: Preview; userId: string | null; now: Date };

/** What the preview said that it takes away; kept with it, so that its digest's deed asks what was shown. */
function takenAway({ shown }: Preview): string[] {
  return z.object({ takesAway: z.array(z.string()).default([]) }).parse(shown).takesAway;
}

/** Turns a preview into a revision and its rollout, once: of two at the same moment the second waits, and is told that it lost. */
async function begin(tx: Tx, { preview, userId, now }: Beginning): Promise<string> {
  const { environmentId, deploymentId, number } = preview;
  const spec = DeploymentSpec.parse(preview.spec);
  await takeTurn(tx, deploymentId);
  const { count } = await tx.preview.updateMany({ where: { id: preview.id, appliedAt: null }, data: { appliedAt: now, appliedById: userId } });
  if (count === 0) throw new DomainError("conflict", "Somebody else is applying exactly this at the same moment. Look at the deployment to see how it goes.");
  const latest = await tx.revision.findFirst({ where: { deploymentId }, orderBy: { number: "desc" } });
  if ((latest?.number ?? 0) !== number - 1) {
    throw new DomainError("conflict", `${await nameOf(tx, latest?.createdById ?? null)} has applied revision ${latest?.number ?? 0} since this preview. Preview again to see what is left to do.`);
  }
  if (!latest) await insertDeployment(tx, { preview, spec, userId });
  await tx.rollout.updateMany({ where: { revision: { deploymentId }, endedAt: null }, data: { state: "superseded", endedAt: now } });
  const { manifests, digest, note, rollbackOf } = preview;
  const revision = await tx.revision.create({ data: { deploymentId, number, spec, manifests: manifests ?? [], digest, note, rollbackOf, createdById: userId } });
  await tx.deployment.update({ where: { id: deploymentId }, data: { spec } });
  const rollout = await tx.rollout.create({ data: { revisionId: revision.id, state: "applying" } });
  await markApplying(tx, { deploymentId, environmentId });
  return rollout.id;
}

async function insertDeployment(tx: Tx, { preview, spec, userId }: { preview: Preview; spec: DeploymentSpec; userId: string | null }): Promise<void> {
  const { environmentId, deploymentId } = preview;
  const taken = await tx.deployment.findFirst({ where: { environmentId, name: spec.name, deletedAt: null, id: { not: deploymentId } }, select: { id: true } });
  if (taken) throw new DomainError("conflict", `This environment already has a deployment named ${spec.name}. Choose another name, or change that one.`);
  await tx.deployment.upsert({ where: { id: deploymentId }, create: { id: deploymentId, environmentId, name: spec.name, spec, createdById: userId }, update: {} });
}

export const deploymentsApply = write({
  name: "deployments.apply",
  summary: "Apply exactly what was previewed, named by its digest",
  permission: "deployment.apply",
  environment: environmentOfPreview,
  effect: "outside",
  input: z.strictObject({ digest: Digest, confirmName: z.string().max(60).optional() }),
  output: Done,
  target: (input, result) => ({ type: "deployment", id: result?.deploymentId ?? null, detail: { digest: input.digest, rolloutId: result?.rolloutId ?? null } }),
  run: async ({ caller, db, input, now }) => {
    const { actor } = caller;
    const preview = await findPreview(db, input.digest);
    if (!preview) throw notFound("preview");
    const before = await repeated(db, preview, actor.userId);
    if (before) return before;
    if (preview.expiresAt <= now) throw new DomainError("expired", "This preview is older than a day. Preview again, then apply.");
    if (takenAway(preview).length > 0) {
      const environment = await environmentById(db, preview.environmentId);
      await assertDeliberate(db, { caller, now, environment, name: DeploymentSpec.parse(preview.spec).name, confirmName: input.confirmName });
    }
    await assertBudget(db, { environmentId: preview.environmentId, now });
    await assertUndrifted(db, preview.environmentId, preview);
    const rolloutId = await db.$transaction(async (tx) => {
      // One apply at a time in an environment: the row is the turn.
      await tx.$queryRaw`SELECT id FROM environment WHERE id = ${preview.environmentId}::uuid FOR UPDATE`;
      await assertApproved(tx, { environmentId: preview.environmentId, digest: input.digest, actor, now });
      return begin(tx, { preview, userId: actor.userId, now });
    });
    await carryOut(db, rolloutId);
    return { deploymentId: preview.deploymentId, rolloutId };
  },
});

export const deploymentsResume = write({
  name: "deployments.resume",
  summary: "Carry on the newest revision after a failure: what was applied already is left alone",
  permission: "deployment.apply",
  environment: environmentOfDeployment,
  effect: "outside",
  input: z.strictObject({ id: z.uuid() }),
  output: Done,
  target: (input) => ({ type: "deployment", id: input.id }),
  run: async ({ db, input }) => {
    const rollout = await db.rollout.findFirst({ where: { revision: { deploymentId: input.id } }, orderBy: { startedAt: "desc" }, include: { revision: { include: { deployment: true } } } });
    if (!rollout) throw notFound("rollout");
    const { environmentId } = rollout.revision.deployment;
    await db.$transaction(async (tx) => {
      await takeTurn(tx, input.id);
      const { count } = await tx.rollout.updateMany({ where: { id: rollout.id, state: "failed" }, data: { state: "applying", message: "", endedAt: null } });
      if (count === 0) throw new DomainError("conflict", "The newest revision was applied in full, or is being applied now: there is nothing to carry on.");
      await markApplying(tx, { deploymentId: input.id, environmentId });
    });
    await carryOut(db, rollout.id);
    return { deploymentId: input.id, rolloutId: rollout.id };
  },
});
