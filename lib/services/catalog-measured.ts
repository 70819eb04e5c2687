import "server-only";
import { z } from "zod";
import { EngineFacts } from "@/lib/domain/rollout-facts";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";

/** Newest rollouts that are looked through for one whose engine has logged its memory. */
const ROLLOUTS = 20;
const DAYS = 30;

export const catalogMeasured = read({
  name: "catalog.measured",
  summary: "What was measured of a model on a GPU size: memory as the engine logged it, and pages that the portal has had read",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ modelId: z.string().max(100), skuId: z.string().max(100) }),
  output: z.strictObject({
    /** Of the newest rollout that logged it; null before the first. */
    logged: z.strictObject({ facts: EngineFacts, at: z.iso.datetime(), maxModelLen: z.number().int().nullable(), deployment: z.string(), isSandbox: z.boolean() }).nullable(),
    /** Of the last 30 days, without sample data and the sandbox, whose engine has no GPU; null while no page was read. */
    pages: z.strictObject({ count: z.number().int(), secondsPerPage: z.number() }).nullable(),
  }),
  run: async ({ caller, db, input, now }) => {
    const visible = inEnvironmentsWith(caller.actor, "environment.read");
    const rollouts = await db.rollout.findMany({
      where: { state: "ready", revision: { deployment: { ...visible, environment: { isSample: false } }, AND: [{ spec: { path: ["modelId"], equals: input.modelId } }, { spec: { path: ["skuId"], equals: input.skuId } }] } },
      orderBy: { startedAt: "desc" },
      take: ROLLOUTS,
      select: { facts: true, endedAt: true, startedAt: true, revision: { select: { spec: true, deployment: { select: { name: true, environment: { select: { cluster: { select: { kind: true } } } } } } } } },
    });
    const since = new Date(now.getTime() - DAYS * 24 * 3_600_000);
    const use = await db.usageTotal.aggregate({ where: { ...visible, environment: { isSample: false, OR: [{ clusterId: null }, { cluster: { kind: { not: "sandbox" } } }] }, modelId: input.modelId, skuKey: input.skuId, hour: { gte: since } }, _sum: { pages: true, seconds: true } });
    const count = Number(use._sum.pages ?? 0);
    return { logged: firstLogged(rollouts), pages: count > 0 ? { count, secondsPerPage: (use._sum.seconds ?? 0) / count } : null };
  },
});

type Row = { facts: unknown; endedAt: Date | null; startedAt: Date; revision: { spec: unknown; deployment: { name: string; environment: { cluster: { kind: string } | null } } } };

const Length = z.object({ maxModelLen: z.number().int().optional() });

function firstLogged(rows: readonly Row[]) {
  for (const row of rows) {
    const facts = EngineFacts.safeParse(row.facts).data;
    if (!facts) continue;
    const { deployment } = row.revision;
    const length = Length.safeParse(row.revision.spec).data?.maxModelLen ?? null;
    return { facts, at: (row.endedAt ?? row.startedAt).toISOString(), maxModelLen: length, deployment: deployment.name, isSandbox: deployment.environment.cluster?.kind === "sandbox" };
  }
  return null;
}
