import "server-only";
import type { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { DomainError, notFound } from "@/lib/domain/errors";
import { can, canSee, denialReason } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { recordAudit, recordAuditAlone, type AuditEntry } from "./audit-trail";
import { parseInput } from "./input";
import type { Context, Operation, WriteOperation } from "./operation";

export type Call = { db: Db; caller: Caller; input: unknown; now?: Date; body?: ReadableStream<Uint8Array>; signal?: AbortSignal };

/**
 * The one pipeline: parse, authorise, run, audit, answer. Every door ends here.
 * Throws DomainError: `invalid_input`, `unauthenticated`, `not_found` (also for what the caller may not see), `forbidden`, and what `run` throws.
 */
export async function execute<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, call: Call): Promise<z.output<O>> {
  if (operation.permission !== "link.redeem" && call.caller.actor.kind === "anonymous") throw new DomainError("unauthenticated", "Sign in first.");
  const input = parseInput(operation.input, call.input);
  const environmentId = await authorise(operation, input, call);
  const context = { caller: call.caller, input, now: call.now ?? new Date(), body: call.body, signal: call.signal };
  const describe = (result?: z.output<O>) => entryOf(operation, { input, environmentId, result });
  if (operation.kind === "read") {
    const result = operation.output.parse(await operation.run({ ...context, db: call.db }));
    if (operation.audited) await recordAuditAlone(call.db, call.caller, { ...describe(result), outcome: "success" });
    return result;
  }
  if (operation.effect === "outside") return runOutside(operation, call, { context, describe });
  try {
    return await runInTransaction(operation, call, { context, describe });
  } catch (error) {
    // A rule inside the operation said no: the effect is rolled back, the denial is kept.
    if (error instanceof DomainError && error.code === "forbidden") await recordAuditAlone(call.db, call.caller, { ...describe(), decision: "denied", outcome: "failure", reason: error.message });
    throw error;
  }
}

type Prepared<I extends z.ZodType, O extends z.ZodType> = { context: Omit<Context<z.output<I>, never>, "db">; describe: (result?: z.output<O>) => Omit<AuditEntry, "outcome"> };

async function runInTransaction<I extends z.ZodType, O extends z.ZodType>(operation: Extract<WriteOperation<I, O>, { effect: "database" }>, call: Call, { context, describe }: Prepared<I, O>): Promise<z.output<O>> {
  return call.db.$transaction(
    async (tx) => {
      const result = operation.output.parse(await operation.run({ ...context, db: tx }));
      await recordAudit(tx, call.caller, { ...describe(result), outcome: "success" });
      return result;
    },
    { timeout: 30_000, maxWait: 10_000 },
  );
}

async function runOutside<I extends z.ZodType, O extends z.ZodType>(operation: Extract<WriteOperation<I, O>, { effect: "outside" }>, call: Call, { context, describe }: Prepared<I, O>): Promise<z.output<O>> {
  await recordAuditAlone(call.db, call.caller, { ...describe(), outcome: "intent" });
  const started = Date.now();
  try {
    const result = operation.output.parse(await operation.run({ ...context, db: call.db }));
    await recordAuditAlone(call.db, call.caller, { ...describe(result), outcome: "success", durationMs: Date.now() - started });
    return result;
  } catch (error) {
    const errorCode = error instanceof DomainError ? error.code : "internal";
    await recordAuditAlone(call.db, call.caller, { ...describe(), outcome: "failure", errorCode, durationMs: Date.now() - started });
    throw error;
  }
}

/** The environment that the call is about; throws when the caller may not. Denials of known callers are audited. */
async function authorise<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, input: z.output<I>, call: Call): Promise<string | null> {
  const { actor } = call.caller;
  if (operation.environment === "each") {
    if (actor.kind === "anonymous") throw new DomainError("unauthenticated", "Sign in first.");
    return null; // the query filters by environmentsWith(actor, permission)
  }
  if (operation.environment !== "portal" && actor.kind === "anonymous") throw new DomainError("unauthenticated", "Sign in first.");
  const environmentId = operation.environment === "portal" ? null : await existing(call.db, await operation.environment(input, call.db));
  const isVisible = operation.environment === "portal" || (environmentId !== null && canSee(actor, environmentId));
  if (isVisible && can(actor, operation.permission, environmentId)) return environmentId;
  if (actor.kind === "anonymous") throw new DomainError("unauthenticated", "Sign in first.");
  const reason = isVisible ? (denialReason(actor, operation.permission, environmentId) ?? "") : "not visible";
  await recordAuditAlone(call.db, call.caller, { ...entryOf(operation, { input, environmentId }), decision: "denied", outcome: "failure", reason });
  throw isVisible ? new DomainError("forbidden", reason) : notFound(operation.name.split(".")[0] ?? "thing");
}

/** An id that came from the caller may name nothing: an owner would otherwise pass every check with it. */
async function existing(db: Db, environmentId: string | null): Promise<string | null> {
  if (environmentId === null) return null;
  return (await db.environment.findUnique({ where: { id: environmentId }, select: { id: true } }))?.id ?? null;
}

function entryOf<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>, at: { input: z.output<I>; environmentId: string | null; result?: z.output<O> }): Omit<AuditEntry, "outcome"> {
  const { detail, ...target } = operation.target?.(at.input, at.result) ?? { type: operation.name.split(".")[0] ?? "" };
  return { action: operation.name, environmentId: at.environmentId, target, ...(detail ? { detail } : {}) };
}
