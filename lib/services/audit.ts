import "server-only";
import { z } from "zod";
import { AuditRecord } from "@/lib/domain/audit";
import { AuditPage, type AuditFilter } from "@/lib/domain/audit-filter";
import { DomainError, notFound } from "@/lib/domain/errors";
import { environmentsWith, type Actor } from "@/lib/domain/policy";
import { read } from "./operation";

const AuditRow = AuditRecord.pick({
  id: true, at: true, environmentId: true, actorKind: true, actorId: true, actorName: true, origin: true, action: true,
  targetType: true, targetId: true, targetName: true, decision: true, outcome: true, reason: true,
}).extend({ sequence: z.string() }).strip();

/** What the list shows of the record itself; one that was tampered with must not hide the others. */
const Told = z.object({ targetName: z.string().nullable(), reason: z.string() }).catch({ targetName: null, reason: "The record is not readable: run npm run audit:verify." });

/** Events of the environments where the actor reads the log; those of no environment are an owner's. */
function visible(actor: Actor) {
  const ids = environmentsWith(actor, "audit.read");
  return ids === "all" ? {} : { environmentId: { in: ids } };
}

function matching(filter: AuditFilter) {
  const { from, to, actor, action, environmentId, decision, outcome } = filter;
  return [
    from ? { at: { gte: new Date(from) } } : {},
    to ? { at: { lt: new Date(to) } } : {},
    actor ? { OR: [{ actorName: { contains: actor, mode: "insensitive" as const } }, { actorId: actor }] } : {},
    action ? { action: { startsWith: action } } : {},
    environmentId ? { environmentId: environmentId === "portal" ? null : environmentId } : {},
    decision ? { decision } : {},
    outcome ? { outcome } : {},
  ];
}

export const auditList = read({
  name: "audit.list",
  summary: "The audit log, newest first, filtered",
  permission: "audit.read",
  environment: "each",
  input: AuditPage,
  output: z.strictObject({ events: z.array(AuditRow), next: z.string().nullable() }),
  run: async ({ caller, input, db }) => {
    const { before, limit, ...filter } = input;
    const page = before ? { sequence: { lt: BigInt(before) } } : {};
    const rows = await db.auditEvent.findMany({ where: { AND: [visible(caller.actor), ...matching(filter), page] }, orderBy: { sequence: "desc" }, take: limit + 1 });
    const shown = rows.slice(0, limit);
    const events = shown.map((row) => AuditRow.parse({ ...row, ...Told.parse(row.record), at: row.at.toISOString(), sequence: String(row.sequence) }));
    return { events, next: rows.length > limit ? String(shown.at(-1)?.sequence) : null };
  },
});

export const auditGet = read({
  name: "audit.get",
  summary: "One event of the audit log with all that was recorded",
  permission: "audit.read",
  environment: "each",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ sequence: z.string(), previousHash: z.string(), hash: z.string(), record: AuditRecord }),
  run: async ({ caller, input, db }) => {
    const row = await db.auditEvent.findFirst({ where: { AND: [visible(caller.actor), { id: input.id }] } });
    if (!row) throw notFound("event");
    const record = AuditRecord.safeParse(row.record);
    if (!record.success) throw new DomainError("conflict", "This event's record is not readable any more: it was changed in the database. Run npm run audit:verify.");
    return { sequence: String(row.sequence), previousHash: row.previousHash, hash: row.hash, record: record.data };
  },
});
