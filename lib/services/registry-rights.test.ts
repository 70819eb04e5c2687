import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import { ANONYMOUS, PERMISSIONS, POLICY, type Permission } from "@/lib/domain/policy";
import { Role } from "@/lib/domain/policy-schema";
import { callerOf, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { PRINCIPALS, type Principal } from "@/scripts/test/principals";
import { SAMPLES } from "@/scripts/test/registry-samples";
import { makeWorld, type World } from "@/scripts/test/registry-world";
import type { Caller } from "@/lib/domain/caller";
import type { Operation } from "./operation";
import { execute } from "./pipeline";
import { findOperation, registry, type OperationName } from "./registry";

process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
const NAMES = Object.keys(registry) as OperationName[]; // Object.keys widens to string[]
const WHO = ["anonymous", ...PRINCIPALS] as const;
type Who = (typeof WHO)[number];
type Outcome = "allowed" | "unauthenticated" | "forbidden" | "not_found";

let own: World;
let other: World;
let callers: Record<Who, Caller>;

beforeAll(async () => {
  own = await makeWorld(database.db, "own");
  other = await makeWorld(database.db, "other");
  const person = async (principal: Principal) => {
    const isRole = principal !== "none" && principal !== "owner";
    return (await createPerson(database.db, `The ${principal}`, { isOwner: principal === "owner", roles: isRole ? { [own.environmentId]: principal } : {} })).caller;
  };
  callers = { anonymous: callerOf(ANONYMOUS), none: await person("none"), viewer: await person("viewer"), analyst: await person("analyst"), deployer: await person("deployer"), admin: await person("admin"), owner: await person("owner") };
});

/** What the table in lib/domain/policy.ts says, worked out a second time from its rows alone. */
function expected(who: Who, operation: Operation, isOwn: boolean): Outcome {
  const rule = POLICY[operation.permission];
  if (rule.scope === "portal") {
    if (rule.who === "anyone") return "allowed";
    if (who === "anonymous") return "unauthenticated";
    return rule.who === "signed-in" || who === "owner" ? "allowed" : "forbidden";
  }
  if (who === "anonymous") return "unauthenticated";
  if (who === "owner" || operation.environment === "each") return "allowed"; // "each" filters its rows; see the last test
  if (who === "none" || !isOwn) return "not_found";
  const roles: readonly Role[] = rule.roles;
  return roles.includes(who) ? "allowed" : "forbidden";
}

/** Runs the pipeline up to the operation's own code: nothing is deployed or deleted on the way. */
async function decide(operation: Operation, caller: Caller, input: unknown): Promise<Outcome> {
  const stop = new DomainError("unavailable", "reached");
  const upToTheEffect = { ...operation, run: () => Promise.reject(stop) } as Operation; // the same operation, but for its effect
  try {
    await execute(upToTheEffect, { db: database.db, caller, input });
  } catch (error) {
    if (error === stop) return "allowed";
    if (error instanceof DomainError) return error.code as Outcome; // compared with the expected one
    throw error;
  }
  throw new Error("the operation did not run");
}

function operationOf(name: OperationName): Operation {
  const operation = findOperation(name);
  if (!operation) throw new Error(name);
  return operation;
}

describe("role × operation × environment, cell by cell", () => {
  it.each(NAMES)("%s", async (name) => {
    const operation = operationOf(name);
    const table: Record<string, Outcome> = {};
    const wanted: Record<string, Outcome> = {};
    for (const who of WHO) {
      for (const [where, world] of [["own", own], ["other", other]] as const) {
        table[`${who} in ${where}`] = await decide(operation, callers[who], SAMPLES[name](world));
        wanted[`${who} in ${where}`] = expected(who, operation, where === "own");
      }
    }
    expect(table).toEqual(wanted);
  });
});

describe("every operation", () => {
  it.each(NAMES)("%s stands under its name, with a permission of the table and a way to its environment", (name) => {
    const operation = operationOf(name);
    expect(operation.name).toBe(name);
    expect(PERMISSIONS).toContain(operation.permission);
    const isPortal = POLICY[operation.permission].scope === "portal";
    expect(operation.environment === "portal").toBe(isPortal);
    if (operation.kind === "write") expect(["database", "outside"]).toContain(operation.effect);
  });
});

describe("a token", () => {
  it.each(NAMES)("without the permission in its scope does not reach %s, whoever owns it", async (name) => {
    const operation = operationOf(name);
    if (operation.permission === "link.redeem" || operation.environment === "each") return;
    const permissions: Permission[] = PERMISSIONS.filter((one) => one !== operation.permission);
    const actor = { ...callers.owner.actor, kind: "token" as const, scope: { environmentIds: null, permissions } };
    expect(await decide(operation, callerOf(actor), SAMPLES[name](own))).toBe("forbidden");
  });

  it.each(NAMES)("bound to another environment does not reach %s", async (name) => {
    const operation = operationOf(name);
    if (typeof operation.environment === "string") return;
    const actor = { ...callers.owner.actor, kind: "token" as const, scope: { environmentIds: [other.environmentId], permissions: [...PERMISSIONS] } };
    expect(await decide(operation, callerOf(actor), SAMPLES[name](own))).toBe("not_found");
  });
});

describe("what does not exist", () => {
  const missing = Object.fromEntries(["environmentId", "userId", "deploymentId", "documentId", "runId", "batchId", "comparisonId", "invitationId", "approvalId"].map((key) => [key, randomUUID()])) as World; // every key of a World
  const named = NAMES.filter((name) => typeof operationOf(name).environment !== "string" && !JSON.stringify(SAMPLES[name](missing)).includes(missing.environmentId));
  it.each(named)("%s answers the owner as it answers everybody else about hidden things", async (name) => {
    const answer = execute(operationOf(name), { db: database.db, caller: callers.owner, input: SAMPLES[name](missing) });
    await expect(answer).rejects.toMatchObject({ name: "DomainError", code: "not_found" });
  });
});

describe("lists over all environments", () => {
  const lists = NAMES.filter((name) => operationOf(name).environment === "each");
  it.each(lists)("%s shows nothing of an environment that the caller may not see, neither names nor ids", async (name) => {
    const outcome = await execute(operationOf(name), { db: database.db, caller: callers.admin, input: SAMPLES[name](own) }).catch((error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    });
    const text = JSON.stringify(outcome);
    for (const id of Object.values(other)) expect(text).not.toContain(id);
    expect(text).not.toContain('"other"');
  });
});
