import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { callJson } from "@/lib/platform/kube/request";
import { kubeOfEnvironment } from "./clusters";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { publish } from "./live";
import { read, write } from "./operation";

const One = z.strictObject({ id: z.uuid() });
const Rule = z
  .strictObject({ minReplicas: z.int().min(1, "At zero it sleeps: use working hours and idle stop for that.").max(16), maxReplicas: z.int().min(1).max(16), pagesPerReplica: z.int().min(1).max(1024) })
  .refine((rule) => rule.maxReplicas >= rule.minReplicas, { path: ["maxReplicas"], message: "The most is not below the least." });
const Owner = z.enum(["person", "lectern", "hpa", "keda"]);

export const scalingGet = read({
  name: "scaling.get",
  summary: "Who sets a deployment's replicas, by which rule, and what was decided last; and which autoscalers its cluster has",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: One,
  output: z.strictObject({
    owner: Owner,
    rule: z.strictObject({ minReplicas: z.int(), maxReplicas: z.int(), pagesPerReplica: z.int() }).nullable(),
    replicas: z.number().int(),
    sentence: z.string(),
    changedAt: z.iso.datetime().nullable(),
    /** Autoscalers of the cluster itself; null: it cannot be asked now. */
    cluster: z.strictObject({ keda: z.boolean(), hpa: z.boolean() }).nullable(),
    /** The most replicas that its volume lets run. */
    mostReplicas: z.number().int(),
  }),
  run: async ({ db, input }) => {
    const row = await deploymentRow(db, input.id);
    const spec = DeploymentSpec.parse(row.spec);
    const scaler = await db.scaler.findUnique({ where: { deploymentId: row.id } });
    const cluster = await autoscalersOf(db, row.environmentId);
    const mostReplicas = spec.accessMode === "ReadWriteMany" ? 16 : 1;
    if (spec.autoscaling) {
      const { by, minReplicas, maxReplicas, pagesPerReplica } = spec.autoscaling;
      return { owner: by, rule: { minReplicas, maxReplicas, pagesPerReplica }, replicas: spec.replicas, sentence: `The cluster's ${by === "keda" ? "KEDA" : "HorizontalPodAutoscaler"} sets the replicas; Lectern leaves them alone.`, changedAt: null, cluster, mostReplicas };
    }
    if (!scaler) return { owner: "person" as const, rule: null, replicas: spec.replicas, sentence: "The replicas stay as they were deployed.", changedAt: null, cluster, mostReplicas };
    const { minReplicas, maxReplicas, pagesPerReplica } = scaler;
    return { owner: "lectern" as const, rule: { minReplicas, maxReplicas, pagesPerReplica }, replicas: spec.replicas, sentence: scaler.sentence, changedAt: scaler.changedAt.toISOString(), cluster, mostReplicas };
  },
});

/** What the API server says it serves: KEDA's objects, and metrics of the engine for a HorizontalPodAutoscaler. */
async function autoscalersOf(db: Db, environmentId: string): Promise<{ keda: boolean; hpa: boolean } | null> {
  try {
    const { kube } = await kubeOfEnvironment(db, environmentId);
    const { body } = await callJson<{ groups?: { name: string }[] }>(kube.send, { method: "GET", path: "/apis" });
    const names = body.groups?.map((group) => group.name) ?? [];
    return { keda: names.includes("keda.sh"), hpa: names.includes("custom.metrics.k8s.io") };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

export const scalingSet = write({
  name: "scaling.set",
  summary: "Let Lectern set a deployment's replicas by the length of its queue; null leaves them as they are now",
  permission: "deployment.apply",
  environment: environmentOfDeployment,
  effect: "database",
  input: One.extend({ rule: Rule.nullable() }),
  output: One,
  target: ({ id, rule }) => ({ type: "deployment", id, detail: { rule } }),
  run: async ({ caller, db, input, now }) => {
    const row = await deploymentRow(db, input.id);
    const spec = DeploymentSpec.parse(row.spec);
    if (input.rule === null) {
      await db.scaler.deleteMany({ where: { deploymentId: row.id } });
    } else {
      if (spec.autoscaling) throw new DomainError("conflict", "An autoscaler of the cluster sets the replicas already, and only one may. Change the deployment to be without it first.");
      if (input.rule.maxReplicas > 1 && spec.accessMode !== "ReadWriteMany") throw new DomainError("unprocessable", "Its volume attaches to one node (ReadWriteOnce), so there can be one replica. Change the deployment to a ReadWriteMany storage class first.");
      const data = { ...input.rule, owner: "lectern", spareSince: null, updatedById: caller.actor.userId };
      await db.scaler.upsert({ where: { deploymentId: row.id }, create: { deploymentId: row.id, ...data, changedAt: new Date(now.getTime() - 3_600_000), sentence: "Looks at the queue from now on." }, update: { ...data, sentence: "Looks at the queue from now on." } });
    }
    await publish(db, `deployment:${row.id}`, { data: { scaling: input.rule !== null } });
    return { id: row.id };
  },
});
