import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditHash, recordAuditAlone } from "@/lib/services/audit-trail";
import { verifyAudit } from "./audit-verify";
import { callerOf } from "./test/callers";
import { useDatabase } from "./test/database";

process.env.DATABASE_URL ??= "postgresql://unused";

const database = useDatabase();
const add = (action: string) => recordAuditAlone(database.db, callerOf(), { action, environmentId: null, outcome: "success", detail: { z: 1, a: ["ä", null, { n: 0.1 }] } });
const sql = (statement: string) => database.db.$executeRawUnsafe(statement);

/** Somebody with the database's own rights changes rows behind the application's back. */
async function tamper(...statements: string[]): Promise<void> {
  await sql("ALTER TABLE audit_event DISABLE TRIGGER USER");
  for (const statement of statements) await sql(statement);
  await sql("ALTER TABLE audit_event ENABLE TRIGGER USER");
}

const move = (from: number, to: number) => `UPDATE audit_event SET sequence = ${to} WHERE sequence = ${from}`;

beforeAll(async () => {
  for (let index = 1; index <= 8; index++) await add(`test.event${index}`);
  await sql("CREATE TABLE whole AS SELECT * FROM audit_event");
});
afterEach(() => tamper("DELETE FROM audit_event", "INSERT INTO audit_event SELECT * FROM whole"));

describe("verifying the audit trail", () => {
  it("finds nothing in a trail that was only written to", async () => {
    expect(await verifyAudit(database.url)).toMatchObject({ head: { sequence: 8n }, fault: undefined });
  });

  it.each([
    ["an edited record", [`UPDATE audit_event SET record = jsonb_set(record, '{actorName}', '"someone else"') WHERE sequence = 4`], 4n, "edited"],
    ["an edited column", ["UPDATE audit_event SET action = 'test.harmless' WHERE sequence = 4"], 4n, "edited"],
    ["an edited time", ["UPDATE audit_event SET at = at + interval '1 second' WHERE sequence = 4"], 4n, "edited"],
    ["a deleted event", ["DELETE FROM audit_event WHERE sequence = 4"], 4n, "missing"],
    ["a deleted first event", ["DELETE FROM audit_event WHERE sequence = 1"], 1n, "missing"],
    ["a deleted event whose gap was closed", ["DELETE FROM audit_event WHERE sequence = 4", move(5, 4), move(6, 5), move(7, 6), move(8, 7)], 4n, "unlinked"],
    ["two exchanged events", [move(4, 100), move(5, 4), move(100, 5)], 4n, "unlinked"],
    ["another hash", ["UPDATE audit_event SET hash = repeat('a', 64) WHERE sequence = 4"], 4n, "edited"],
  ])("names %s", async (_what, statements, sequence, kind) => {
    await tamper(...statements);
    expect((await verifyAudit(database.url)).fault).toMatchObject({ sequence, kind });
  });

  it("names the place of an inserted event that carries a right hash of its own", async () => {
    const before = await database.db.auditEvent.findUniqueOrThrow({ where: { sequence: 4 } });
    const forged = { ...(before.record as object), action: "test.forged", id: "019d0000-0000-7000-8000-000000000001" };
    const hash = auditHash(5n, before.hash, forged);
    await tamper(move(8, 9), move(7, 8), move(6, 7), move(5, 6));
    await tamper(`INSERT INTO audit_event SELECT 5, '019d0000-0000-7000-8000-000000000001', at, environment_id, actor_kind, actor_id, actor_name, origin, 'test.forged', target_type, target_id, decision, outcome, '${JSON.stringify(forged)}'::jsonb, '${before.hash}', '${hash}' FROM audit_event WHERE sequence = 4`);
    expect((await verifyAudit(database.url)).fault).toMatchObject({ sequence: 6n, kind: "unlinked" });
  });

  it("finds one chain after many writers at once", async () => {
    await Promise.all(Array.from({ length: 24 }, (_, index) => add(`test.parallel${index}`)));
    expect(await verifyAudit(database.url)).toMatchObject({ head: { sequence: 32n }, fault: undefined });
  });

  it("as a command says so and exits with 0, or with 1 and the number of the event", async () => {
    const run = () => promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/audit-verify.ts"], { env: { ...process.env, DATABASE_URL: database.url } });
    expect((await run()).stdout).toContain("8 events");
    await tamper("DELETE FROM audit_event WHERE sequence = 3");
    await expect(run()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Event 3 is missing") });
  });
});
