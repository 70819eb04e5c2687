import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { callerOf, createEnvironment, createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { read, write } from "./operation";
import { execute } from "./pipeline";

const database = useDatabase();
let environmentId: string;
let admin: Caller;
let viewer: Caller;

beforeAll(async () => {
  environmentId = await createEnvironment(database.db, "pipeline");
  admin = (await createPerson(database.db, "Admin", { roles: { [environmentId]: "admin" } })).caller;
  viewer = (await createPerson(database.db, "Viewer", { roles: { [environmentId]: "viewer" } })).caller;
});

const Named = z.strictObject({ environmentId: z.uuid(), name: z.string() });
const common = {
  summary: "Rename",
  permission: "environment.edit",
  environment: async ({ environmentId: id }: z.output<typeof Named>) => id,
  input: Named,
  output: z.strictObject({ name: z.string() }),
  target: ({ environmentId: id }: z.output<typeof Named>) => ({ type: "environment", id }),
} as const;

/** Renames in the same transaction; "broken" fails after the change, "wrong" answers what its schema does not allow. */
const rename = write({
  ...common,
  name: "test.rename",
  effect: "database",
  run: async ({ db, input }) => {
    await db.environment.update({ where: { id: input.environmentId }, data: { name: input.name } });
    if (input.name === "broken") throw new DomainError("conflict", "Somebody else was faster.");
    return input.name === "wrong" ? ({ name: 7 } as unknown as { name: string }) : { name: input.name };
  },
});

const callOut = write({
  ...common,
  name: "test.callOut",
  effect: "outside",
  run: async ({ input }) => {
    if (input.name === "broken") throw new DomainError("upstream_failed", "The cluster did not answer.");
    return { name: input.name };
  },
});

async function nameNow(): Promise<string> {
  return (await database.db.environment.findUniqueOrThrow({ where: { id: environmentId } })).name;
}

/** The trail that `act` leaves. */
async function trailOf(act: () => Promise<unknown>): Promise<string[]> {
  const before = await database.db.auditEvent.count();
  await act().catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
  });
  const rows = await database.db.auditEvent.findMany({ orderBy: { sequence: "asc" }, skip: before });
  return rows.map((row) => `${row.action} ${row.decision} ${row.outcome}`);
}

const run = (operation: typeof rename | typeof callOut, caller: Caller, name: string) => execute(operation, { db: database.db, caller, input: { environmentId, name } });

describe("a write in the database", () => {
  it("has its effect and one audit event together", async () => {
    expect(await trailOf(() => run(rename, admin, "renamed"))).toEqual(["test.rename allowed success"]);
    expect(await nameNow()).toBe("renamed");
  });

  it("has neither when it fails, nor when its answer is not what it promises", async () => {
    expect(await trailOf(() => run(rename, admin, "broken"))).toEqual([]);
    expect(await trailOf(() => run(rename, admin, "wrong"))).toEqual([]);
    expect(await nameNow()).toBe("renamed");
  });

  it("has no effect when the trail cannot be written", async () => {
    await database.db.$executeRaw`ALTER TABLE audit_event ADD CONSTRAINT closed CHECK (false) NOT VALID`;
    try {
      await expect(run(rename, admin, "unseen")).rejects.toThrow();
      await expect(run(callOut, admin, "unseen")).rejects.toThrow();
    } finally {
      await database.db.$executeRaw`ALTER TABLE audit_event DROP CONSTRAINT closed`;
    }
    expect(await nameNow()).toBe("renamed");
  });
});

describe("a write outside the database", () => {
  it("leaves its intent before and its outcome after", async () => {
    expect(await trailOf(() => run(callOut, admin, "fine"))).toEqual(["test.callOut allowed intent", "test.callOut allowed success"]);
    expect(await trailOf(() => run(callOut, admin, "broken"))).toEqual(["test.callOut allowed intent", "test.callOut allowed failure"]);
  });
});

describe("a refusal", () => {
  it("of a known caller is audited, with the reason", async () => {
    expect(await trailOf(() => run(rename, viewer, "mine"))).toEqual(["test.rename denied failure"]);
    await expect(run(rename, viewer, "mine")).rejects.toMatchObject({ code: "forbidden", message: "This needs the role admin in this environment. Ask one of its admins." });
  });

  it("of nobody is not: strangers cannot fill the trail", async () => {
    expect(await trailOf(() => run(rename, callerOf(), "mine"))).toEqual([]);
    await expect(run(rename, callerOf(), "mine")).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("of what the caller may not see reads like a missing thing", async () => {
    const hidden = await createEnvironment(database.db, "hidden");
    await expect(execute(rename, { db: database.db, caller: viewer, input: { environmentId: hidden, name: "x" } })).rejects.toMatchObject({ code: "not_found" });
  });

  it("of an input names every wrong field and repeats no value", async () => {
    const answer = execute(rename, { db: database.db, caller: admin, input: { environmentId: "not-a-uuid", name: 4711, role: "owner" } });
    await expect(answer).rejects.toMatchObject({ code: "invalid_input", fields: [{ path: "environmentId" }, { path: "name" }, { path: "" }] });
    await expect(answer).rejects.not.toThrow(/not-a-uuid|4711/);
  });
});

describe("a read", () => {
  const spec = { ...common, name: "test.read", permission: "environment.read", run: async () => ({ name: "read" }) } as const;
  it("leaves a trace only where the trail must show it", async () => {
    const call = { db: database.db, caller: viewer, input: { environmentId, name: "x" } };
    expect(await trailOf(() => execute(read(spec), call))).toEqual([]);
    expect(await trailOf(() => execute(read({ ...spec, audited: true }), call))).toEqual(["test.read allowed success"]);
  });
});
