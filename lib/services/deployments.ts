import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { Finding } from "@/lib/domain/finding";
import { suggestedChange } from "@/lib/domain/finding-change";
import { environmentsWith } from "@/lib/domain/policy";
import { EngineFacts } from "@/lib/domain/rollout-facts";
import { Smoke, smokeIn } from "@/lib/domain/rollout-smoke";
import { priceOfSku, SkuPriceAnswer } from "@/lib/domain/sku-price";
import { ListAnswer, ListInput, listDeployments } from "./deployment-list";
import { deploymentRow, DeploymentRow, environmentOfDeployment, toDeploymentRow } from "./deployment-rows";
import { read } from "./operation";
import { priceBook } from "./prices-book";
import { usualOf } from "./rollout-history";

const FindingView = z.object({ id: z.string(), cause: z.string(), evidence: z.array(z.string()), remedy: z.string(), severity: z.enum(["blocker", "warning"]) });
const Suggestion = z.strictObject({ label: z.string(), change: z.record(z.string(), z.unknown()) });

const RolloutView = z.strictObject({
  id: z.uuid(),
  state: z.string(),
  message: z.string(),
  objects: z.array(z.strictObject({ kind: z.string(), name: z.string(), outcome: z.string(), message: z.string() })),
  /** Every finding that it had, with the time at which it was first seen. */
  findings: z.array(FindingView.extend({ firstSeenAt: z.string() })),
  /** What the engine logged about its memory; null when it did not get that far. */
  facts: EngineFacts.nullable(),
  /** How one sample page was read after it had become ready; null when none was tried. */
  smoke: Smoke.nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});

const RevisionView = z.strictObject({
  id: z.uuid(),
  number: z.number().int(),
  digest: z.string(),
  note: z.string(),
  rollbackOf: z.number().int().nullable(),
  spec: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  rollouts: z.array(RolloutView),
});

export const deploymentsList = read({
  name: "deployments.list",
  summary: "Deployments of the environments that I may see: all of them, or searched and page by page",
  permission: "environment.read",
  environment: "each",
  input: ListInput,
  output: ListAnswer,
  run: async ({ caller, db, input: { environmentId, ...wanted } }) => {
    const visible = environmentsWith(caller.actor, "environment.read");
    const asked = environmentId === undefined ? null : [environmentId];
    const environmentIds = visible === "all" ? asked : (asked ?? visible).filter((id) => visible.includes(id));
    return listDeployments(db, { environmentIds, ...wanted });
  },
});

export const deploymentsGet = read({
  name: "deployments.get",
  summary: "One deployment with its rollout steps, findings and revisions",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({
    deployment: DeploymentRow,
    namespace: z.string(),
    status: z.record(z.string(), z.unknown()),
    /** Why it is not ready; the likeliest cause first. */
    findings: z.array(FindingView.extend({ suggestion: Suggestion.nullable() })),
    /** How long this model on this size usually takes here, in seconds. */
    usual: z.strictObject({ steps: z.record(z.string(), z.number().nullable()), totalSeconds: z.number().nullable(), rollouts: z.number().int() }),
    price: SkuPriceAnswer,
    revisions: z.array(RevisionView),
  }),
  run: async ({ db, input, now }) => {
    const row = await deploymentRow(db, input.id);
    const revisions = await db.revision.findMany({ where: { deploymentId: row.id }, include: { rollouts: { orderBy: { startedAt: "desc" } } }, orderBy: { number: "desc" } });
    const people = await db.user.findMany({ where: { id: { in: revisions.flatMap((revision) => revision.createdById ?? []) } }, select: { id: true, name: true } });
    const nameOf = (id: string | null) => people.find((person) => person.id === id)?.name ?? "Lectern";
    const view = toDeploymentRow(row);
    const spec = DeploymentSpec.parse(row.spec);
    return {
      deployment: view,
      namespace: row.environment.namespace,
      status: z.record(z.string(), z.unknown()).parse(row.status),
      findings: (row.findings as Finding[]).map((finding) => ({ ...finding, suggestion: suggestedChange(finding, spec) })), // written by rollout-record.ts
      usual: await usualOf(db, spec, row.environment.cluster?.id ?? null),
      price: priceOfSku(view.skuId, await priceBook(db), now.getTime()),
      revisions: revisions.map((revision) => ({
        id: revision.id,
        number: revision.number,
        digest: revision.digest,
        note: revision.note,
        rollbackOf: revision.rollbackOf,
        spec: z.record(z.string(), z.unknown()).parse(revision.spec),
        createdAt: revision.createdAt.toISOString(),
        createdBy: nameOf(revision.createdById),
        rollouts: revision.rollouts.map((rollout) => ({
          id: rollout.id,
          state: rollout.state,
          message: rollout.message,
          objects: RolloutView.shape.objects.parse(rollout.objects),
          findings: RolloutView.shape.findings.parse(rollout.findings),
          facts: EngineFacts.safeParse(rollout.facts).data ?? null,
          smoke: smokeIn(rollout.facts),
          startedAt: rollout.startedAt.toISOString(),
          endedAt: rollout.endedAt?.toISOString() ?? null,
        })),
      })),
    };
  },
});
