import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { deploymentsApply } from "./deployment-writes";
import { parseInput } from "./input";
import { write } from "./operation";

/** A revision of its own that differs in the replicas alone: so history, budget, approval and drift treat it as any other change. */
export const deploymentsScale = write({
  name: "deployments.scale",
  summary: "Run another number of replicas: previewed and applied as a revision of its own, with the budget and the approval that any change needs",
  permission: "deployment.apply",
  environment: environmentOfDeployment,
  effect: "outside",
  input: z.strictObject({ id: z.uuid(), replicas: z.int().min(1, "To run none, stop it.").max(16) }),
  output: z.strictObject({ deploymentId: z.uuid(), rolloutId: z.uuid() }),
  target: (input) => ({ type: "deployment", id: input.id, detail: { replicas: input.replicas } }),
  run: async ({ input: { id, replicas }, ...context }) => {
    const { db } = context;
    const row = await deploymentRow(db, id);
    const last = await db.revision.findFirst({ where: { deploymentId: id }, orderBy: { number: "desc" }, select: { spec: true } });
    if (!last) throw new DomainError("unprocessable", `${row.name} has no revision yet. Deploy it first.`);
    const before = DeploymentSpec.parse(last.spec);
    if (before.autoscaling) throw new DomainError("unprocessable", `An autoscaler sets the replicas of ${row.name}. Change its least and most instead.`);
    if (before.replicas === replicas && DeploymentSpec.parse(row.spec).replicas === replicas) throw new DomainError("conflict", `${row.name} runs ${replicas} already.`);
    const asked = { environmentId: row.environmentId, deploymentId: id, spec: { ...before, replicas }, note: `Scaled from ${before.replicas} to ${replicas}` };
    const { digest, blockers, basisNote } = await deploymentsPreview.run({ ...context, input: parseInput(deploymentsPreview.input, asked) });
    if (digest === null) throw new DomainError("unprocessable", blockers.join(" ") || basisNote);
    return deploymentsApply.run({ ...context, input: { digest } });
  },
});
