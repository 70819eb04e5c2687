import "server-only";
import { z } from "zod";
import { EndReason } from "@/lib/domain/preview-environment";
import { notFound } from "@/lib/domain/errors";
import { can } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { inEnvironmentsWith } from "./environments";
import { read, write } from "./operation";
import { costsOf } from "./preview-environments-cost";
import { closeEnvironment, openEnvironment, RequestFacts } from "./preview-environments-open";

const One = z.strictObject({ id: z.uuid() });
const Proof = z.strictObject({ objects: z.number().int(), documents: z.number().int(), openIntervals: z.number().int() });
const View = z.strictObject({
  id: z.uuid(),
  templateName: z.string(),
  repository: z.string(),
  environmentId: z.uuid(),
  slug: z.string(),
  namespace: z.string(),
  number: z.number().int(),
  title: z.string(),
  url: z.string(),
  commit: z.string(),
  state: z.enum(["opening", "open", "removing", "removed"]),
  /** What stands in its way; empty when nothing does. */
  message: z.string(),
  commentNote: z.string(),
  deployment: z.strictObject({ id: z.uuid(), name: z.string(), state: z.string(), isAsleep: z.boolean() }).nullable(),
  openedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  endReason: EndReason.nullable(),
  removedAt: z.iso.datetime().nullable(),
  /** What was counted after the removal; null before. */
  proof: Proof.nullable(),
  nodeHours: z.number(),
  /** What its node hours cost so far; null: no price. */
  cost: z.strictObject({ amount: z.number(), currency: z.string() }).nullable(),
  budget: z.number().nullable(),
  mayRemove: z.boolean(),
});
export type PreviewEnvironmentView = z.infer<typeof View>;

export const previewEnvironmentsList = read({
  name: "previewEnvironments.list",
  summary: "Environments of pull requests: open ones, and those that were removed lately with the proof that nothing is left",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ environments: z.array(View) }),
  run: async ({ caller, db, now }) => {
    const rows = await db.pullRequestEnvironment.findMany({
      where: inEnvironmentsWith(caller.actor, "environment.read"),
      include: { template: { select: { name: true, repository: true, budget: true } }, environment: { include: { deployments: { where: { deletedAt: null }, select: { id: true, name: true, state: true, sleeps: { where: { endedAt: null }, select: { id: true } } } } } } },
      orderBy: [{ removedAt: { sort: "desc", nulls: "first" } }, { openedAt: "desc" }],
      take: 200,
    });
    const costs = await costsOf(db, rows.map((row) => row.environmentId), now);
    return {
      environments: rows.map((row) => {
        const [deployment] = row.environment.deployments;
        const { id, environmentId, number, title, url, commit, message, commentNote } = row;
        const spent = costs.get(environmentId) ?? { nodeHours: 0, cost: null };
        return {
          id, environmentId, number, title, url, commit, message, commentNote, ...spent,
          templateName: row.template.name,
          repository: row.template.repository,
          slug: row.environment.slug,
          namespace: row.environment.namespace,
          state: View.shape.state.parse(row.state),
          deployment: deployment ? { id: deployment.id, name: deployment.name, state: deployment.state, isAsleep: deployment.sleeps.length > 0 } : null,
          openedAt: row.openedAt.toISOString(),
          expiresAt: row.expiresAt.toISOString(),
          endReason: EndReason.nullable().parse(row.endReason),
          removedAt: row.removedAt?.toISOString() ?? null,
          proof: Proof.nullable().parse(row.proof),
          budget: row.template.budget?.toNumber() ?? null,
          mayRemove: ["opening", "open"].includes(row.state) && can(caller.actor, "environment.edit", environmentId),
        };
      }),
    };
  },
});

export const previewEnvironmentsOpen = write({
  name: "previewEnvironments.open",
  summary: "Open the environment of a pull request, or begin its time anew",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: RequestFacts.extend({ templateId: z.uuid() }),
  output: One.extend({ environmentId: z.uuid(), expiresAt: z.iso.datetime() }),
  target: (input, result) => ({ type: "environment", id: result?.environmentId ?? null, detail: { templateId: input.templateId, number: input.number, commit: input.commit } }),
  run: async ({ db, input, now }) => {
    const { templateId, ...request } = input;
    const row = await openEnvironment(db, { templateId, request, now });
    return { id: row.id, environmentId: row.environmentId, expiresAt: row.expiresAt.toISOString() };
  },
});

async function environmentOfPullRequest({ id }: { id: string }, db: Db): Promise<string | null> {
  return (await db.pullRequestEnvironment.findUnique({ where: { id }, select: { environmentId: true } }))?.environmentId ?? null;
}

export const previewEnvironmentsRemove = write({
  name: "previewEnvironments.remove",
  summary: "Remove a pull request's environment with everything in it: its objects, its documents and its people",
  permission: "environment.edit",
  environment: environmentOfPullRequest,
  effect: "database",
  input: One,
  output: One,
  target: (input) => ({ type: "environment", id: null, detail: { previewId: input.id } }),
  run: async ({ db, input, now }) => {
    if ((await closeEnvironment(db, { where: { id: input.id }, reason: "person", now })) === null) throw notFound("environment");
    return input;
  },
});
