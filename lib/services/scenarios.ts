import "server-only";
import { z } from "zod";
import { CostReport } from "@/lib/domain/cost-report-schema";
import { WhatIf, solveWhatIf } from "@/lib/domain/cost-whatif";
import { DomainError, notFound } from "@/lib/domain/errors";
import { can } from "@/lib/domain/policy";
import { PriceBook } from "@/lib/domain/price-book";
import type { Db, Tx } from "@/lib/platform/db";
import { read, write } from "./operation";
import { priceBook } from "./prices-book";

/** What a frozen scenario keeps: the price book with every version and rate, so that the same inputs give the same numbers next year. */
const Frozen = z.object({ at: z.iso.datetime(), book: PriceBook, sentence: z.string(), report: CostReport.nullable() });
const ScenarioRow = z.object({ id: z.uuid(), environmentId: z.uuid(), name: z.string(), inputs: WhatIf, frozenAt: z.iso.datetime().nullable(), by: z.string(), createdAt: z.iso.datetime() });

type Stored = { id: string; environmentId: string; name: string; inputs: unknown; frozen: unknown; createdById: string | null; createdAt: Date };

function rowOf(row: Stored, by: string): z.infer<typeof ScenarioRow> {
  const frozen = z.object({ at: z.string() }).safeParse(row.frozen).data;
  return { id: row.id, environmentId: row.environmentId, name: row.name, inputs: WhatIf.parse(row.inputs), frozenAt: frozen?.at ?? null, by, createdAt: row.createdAt.toISOString() };
}

async function nameOf(db: Db | Tx, id: string | null): Promise<string> {
  const person = id === null ? null : await db.user.findUnique({ where: { id }, select: { name: true } });
  return person?.name ?? "someone who has left";
}

export const scenariosList = read({
  name: "scenarios.list",
  summary: "The saved what-ifs of an environment",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid() }),
  output: z.object({ scenarios: z.array(ScenarioRow) }),
  run: async ({ db, input }) => {
    const rows = await db.scenario.findMany({ where: { environmentId: input.environmentId }, orderBy: { createdAt: "asc" }, take: 100 });
    return { scenarios: await Promise.all(rows.map(async (row) => rowOf(row, await nameOf(db, row.createdById)))) };
  },
});

const environmentOfScenario = async (input: { id: string }, db: Db) => (await db.scenario.findUnique({ where: { id: input.id }, select: { environmentId: true } }))?.environmentId ?? null;

export const scenariosGet = read({
  name: "scenarios.get",
  summary: "One saved what-if; a frozen one with the prices and rates that it was frozen with",
  permission: "cost.read",
  environment: environmentOfScenario,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ scenario: ScenarioRow, frozen: Frozen.nullable() }),
  run: async ({ db, input }) => {
    const row = await db.scenario.findUnique({ where: { id: input.id } });
    if (!row) throw notFound("scenario");
    return { scenario: rowOf(row, await nameOf(db, row.createdById)), frozen: Frozen.safeParse(row.frozen).data ?? null };
  },
});

const MOST_SCENARIOS = 100;

export const scenariosSave = write({
  name: "scenarios.save",
  summary: "Save a what-if under a name; frozen, it keeps all prices and rates",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), name: z.string().trim().min(1, "Give it a name.").max(80), inputs: WhatIf, isFrozen: z.boolean().default(false), sentence: z.string().max(2000).default("") }),
  output: z.object({ scenario: ScenarioRow }),
  target: (input, result) => ({ type: "scenario", ...(result ? { id: result.scenario.id } : {}), name: input.name, detail: { isFrozen: input.isFrozen } }),
  run: async ({ db, input, now, caller }) => {
    const book = await priceBook(db);
    solveWhatIf(input.inputs, book); // what has no answer is not saved
    const { environmentId, name } = input;
    if ((await db.scenario.count({ where: { environmentId } })) >= MOST_SCENARIOS) throw new DomainError("unprocessable", `An environment keeps ${MOST_SCENARIOS} scenarios: delete one first.`);
    if (await db.scenario.findUnique({ where: { environmentId_name: { environmentId, name } } })) throw new DomainError("conflict", `There is a scenario named ${name}. Choose another name.`);
    const frozen = input.isFrozen ? { at: now.toISOString(), book, sentence: input.sentence, report: null } : null;
    const data = { environmentId, name, inputs: input.inputs, createdById: caller.actor.userId, ...(frozen ? { frozen } : {}) };
    return { scenario: rowOf(await db.scenario.create({ data }), caller.actor.name) };
  },
});

export const scenariosDelete = write({
  name: "scenarios.delete",
  summary: "Delete a saved what-if: one's own, or any as an admin",
  permission: "cost.read",
  environment: environmentOfScenario,
  effect: "database",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({}),
  target: (input) => ({ type: "scenario", id: input.id }),
  run: async ({ db, input, caller }) => {
    const row = await db.scenario.findUnique({ where: { id: input.id }, select: { createdById: true, environmentId: true } });
    if (!row) throw notFound("scenario");
    if (row.createdById !== caller.actor.userId && !can(caller.actor, "environment.edit", row.environmentId)) throw new DomainError("forbidden", "Only whoever saved a scenario, or an admin of the environment, may delete it.");
    await db.scenario.delete({ where: { id: input.id } });
    return {};
  },
});
