import "server-only";
import { z } from "zod";
import { ALERT_KINDS, ALERT_RULES } from "@/lib/domain/alert";
import { DomainError } from "@/lib/domain/errors";
import { inEnvironmentsWith } from "./environments";
import { publish } from "./live";
import { read, write } from "./operation";

const AlertKind = z.enum(ALERT_KINDS);
const Where = z.strictObject({ environmentId: z.uuid() });
const Rule = z.strictObject({ kind: AlertKind, threshold: z.int() });
const aboutOne = { environment: async (input: { environmentId: string }) => input.environmentId } as const;

export const alertsRules = read({
  ...aboutOne,
  name: "alerts.rules",
  summary: "Of what an environment's people are told",
  permission: "environment.read",
  input: Where,
  output: z.strictObject({ rules: z.array(Rule) }),
  run: async ({ db, input }) => ({ rules: (await db.alertRule.findMany({ where: input, orderBy: { kind: "asc" } })).map(({ kind, threshold }) => ({ kind: AlertKind.parse(kind), threshold })) }),
});

export const alertsSetRules = write({
  ...aboutOne,
  name: "alerts.setRules",
  summary: "Set of what an environment's people are told; a kind that is left out is switched off",
  permission: "environment.edit",
  effect: "database",
  input: Where.extend({ rules: z.array(Rule).max(AlertKind.options.length) }),
  output: z.strictObject({ before: z.array(Rule) }),
  target: (input, result) => ({ type: "environment", id: input.environmentId, detail: { rules: input.rules, before: result?.before ?? null } }),
  run: async ({ caller, db, input }) => {
    const { environmentId, rules } = input;
    for (const { kind, threshold } of rules) {
      const { least, most, title, unit } = ALERT_RULES[kind];
      if (threshold < least || threshold > most) throw new DomainError("unprocessable", `${title}: enter ${least} to ${most} ${unit}.`);
    }
    if (new Set(rules.map((rule) => rule.kind)).size < rules.length) throw new DomainError("unprocessable", "Give each kind once.");
    const before = await db.alertRule.findMany({ where: { environmentId } });
    await db.alertRule.deleteMany({ where: { environmentId } });
    await db.alertRule.createMany({ data: rules.map((rule) => ({ ...rule, environmentId, updatedById: caller.actor.userId })) });
    await publish(db, `environment:${environmentId}`, { data: { alertRules: true } });
    return { before: before.map(({ kind, threshold }) => ({ kind: AlertKind.parse(kind), threshold })) };
  },
});

const View = z.strictObject({ id: z.uuid(), deploymentId: z.uuid(), deploymentName: z.string(), environmentId: z.uuid(), kind: z.string(), sentence: z.string(), startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() });

export const alertsList = read({
  name: "alerts.list",
  summary: "Alerts that are open, and those of the last days",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional(), deploymentId: z.uuid().optional(), onlyOpen: z.boolean().default(false) }),
  output: z.strictObject({ alerts: z.array(View) }),
  run: async ({ caller, db, input }) => {
    const mine = inEnvironmentsWith(caller.actor, "environment.read");
    const rows = await db.alert.findMany({
      where: { deployment: { AND: [mine, input.environmentId ? { environmentId: input.environmentId } : {}], deletedAt: null }, ...(input.deploymentId ? { deploymentId: input.deploymentId } : {}), ...(input.onlyOpen ? { endedAt: null } : {}) },
      include: { deployment: { select: { name: true, environmentId: true } } },
      orderBy: [{ endedAt: { sort: "desc", nulls: "first" } }, { startedAt: "desc" }],
      take: 50,
    });
    return { alerts: rows.map(({ id, deploymentId, kind, sentence, startedAt, endedAt, deployment }) => ({ id, deploymentId, deploymentName: deployment.name, environmentId: deployment.environmentId, kind, sentence, startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null })) };
  },
});
