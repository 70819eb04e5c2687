import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { notFound } from "@/lib/domain/errors";
import { adviceFor, runningOf, type Advice } from "@/lib/domain/upgrade";
import type { Db } from "@/lib/platform/db";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";
import { execute } from "./pipeline";
import { storedObjects } from "./rendering";

const One = z.strictObject({ id: z.uuid() });
const AdviceView = z.strictObject({ id: z.string(), weight: z.enum(["urgent", "better", "possible"]), title: z.string(), changes: z.array(z.string()), source: z.string() });

async function adviceOf(db: Db, deploymentId: string): Promise<{ advice: Advice[]; revision: number; environmentId: string }> {
  const row = await deploymentRow(db, deploymentId);
  const revision = await db.revision.findFirst({ where: { deploymentId }, orderBy: { number: "desc" } });
  if (!revision) return { advice: [], revision: 0, environmentId: row.environmentId };
  return { advice: adviceFor(DeploymentSpec.parse(revision.spec), runningOf(storedObjects(revision.manifests))), revision: revision.number, environmentId: row.environmentId };
}

export const upgradeAdvice = read({
  name: "upgrade.advice",
  summary: "What the catalogue knows against a deployment's engine or weights, and what is newer",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: One,
  output: z.strictObject({ advice: z.array(AdviceView), revision: z.number().int() }),
  run: async ({ db, input }) => {
    const { advice, revision } = await adviceOf(db, input.id);
    return { advice: advice.map(({ spec: _, ...shown }) => shown), revision };
  },
});

export const upgradePreview = read({
  name: "upgrade.preview",
  summary: "An upgrade as a preview: deployments.apply carries it out, and the revision before it is the way back",
  permission: "deployment.apply",
  environment: environmentOfDeployment,
  input: One.extend({ adviceId: z.string().max(100) }),
  output: z.strictObject({ digest: z.string().nullable(), summary: z.array(z.string()), blockers: z.array(z.string()), needsApproval: z.boolean(), backTo: z.number().int() }),
  run: async ({ caller, db, input, now }) => {
    const { advice, revision, environmentId } = await adviceOf(db, input.id);
    const chosen = advice.find((each) => each.id === input.adviceId);
    if (!chosen) throw notFound("advice");
    const { digest, summary, blockers, needsApproval, basisNote } = await execute(deploymentsPreview, { db, caller, input: { environmentId, deploymentId: input.id, spec: chosen.spec, note: `Upgrade: ${chosen.title}` }, now });
    return { digest, summary: [...summary, `Revision ${revision} stays as the way back.`], blockers: basisNote === "" ? blockers : [...blockers, basisNote], needsApproval, backTo: revision };
  },
});
