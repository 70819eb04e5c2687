import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { AUDIT_SCHEMA_VERSION, AuditRecord, plainText } from "@/lib/domain/audit";
import { CHAIN_START, chainText } from "@/lib/domain/audit-chain";
import type { Caller } from "@/lib/domain/caller";
import type { Db, Tx } from "@/lib/platform/db";

const CHAIN_LOCK = 7401;

export type AuditEntry = {
  action: string;
  environmentId: string | null;
  target?: { type: string; id?: string | null; name?: string | null } | undefined;
  decision?: "allowed" | "denied";
  outcome: "intent" | "success" | "failure";
  reason?: string;
  errorCode?: string;
  durationMs?: number;
  /** Secret-free facts only: digests, counts, names of changed fields. */
  detail?: Record<string, unknown>;
};

function toRecord(caller: Caller, entry: AuditEntry, now: Date): AuditRecord {
  const { actor } = caller;
  const roles = actor.grants.filter((grant) => grant.environmentId === entry.environmentId).map((grant) => grant.role);
  return AuditRecord.parse({
    schemaVersion: AUDIT_SCHEMA_VERSION,
    id: randomUUID(),
    at: now.toISOString(),
    environmentId: entry.environmentId,
    actorKind: actor.kind,
    actorId: actor.userId,
    actorName: plainText(actor.name),
    isOwner: actor.isOwner,
    roles,
    sessionId: caller.sessionId,
    tokenId: caller.tokenId,
    tokenScope: actor.scope,
    origin: caller.origin,
    requestId: plainText(caller.requestId),
    ip: plainText(caller.ip),
    userAgent: plainText(caller.userAgent),
    action: entry.action,
    targetType: entry.target?.type ?? null,
    targetId: entry.target?.id ?? null,
    targetName: entry.target?.name ? plainText(entry.target.name) : null,
    decision: entry.decision ?? "allowed",
    reason: plainText(entry.reason ?? "", 1000),
    outcome: entry.outcome,
    errorCode: entry.errorCode ?? null,
    durationMs: entry.durationMs ?? null,
    detail: JSON.parse(JSON.stringify(entry.detail ?? {})),
  });
}

/** SHA-256 (hex) over the sequence, the hash before and the canonical form of the record. */
export function auditHash(sequence: bigint, previousHash: string, record: unknown): string {
  return createHash("sha256").update(chainText(sequence, previousHash, record)).digest("hex");
}

/**
 * Appends one event to the chain inside the caller's transaction. The lock makes parallel writers take turns until commit,
 * so that there is one chain without gaps; a failure here fails the transaction, and with it the effect.
 */
export async function recordAudit(tx: Tx, caller: Caller, entry: AuditEntry, now: Date = new Date()): Promise<void> { // eslint-disable-line max-params -- the transaction, who, what and when are four independent things
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`;
  const last = await tx.auditEvent.findFirst({ orderBy: { sequence: "desc" }, select: { sequence: true, hash: true } });
  const sequence = (last ?? CHAIN_START).sequence + 1n;
  const previousHash = (last ?? CHAIN_START).hash;
  const record = toRecord(caller, entry, now);
  await tx.auditEvent.create({
    data: {
      sequence,
      id: record.id,
      at: now,
      environmentId: record.environmentId,
      actorKind: record.actorKind,
      actorId: record.actorId,
      actorName: record.actorName,
      origin: record.origin,
      action: record.action,
      targetType: record.targetType,
      targetId: record.targetId,
      decision: record.decision,
      outcome: record.outcome,
      record: JSON.parse(JSON.stringify(record)),
      previousHash,
      hash: auditHash(sequence, previousHash, record),
    },
  });
}

/** Appends one event in a transaction of its own: for what has no effect in the database, such as a denial. */
export async function recordAuditAlone(db: Db, caller: Caller, entry: AuditEntry): Promise<void> {
  await db.$transaction((tx) => recordAudit(tx, caller, entry));
}
