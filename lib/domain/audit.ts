import { z } from "zod";

export const AUDIT_SCHEMA_VERSION = 1;
/** The hash before the first event. */
export const AUDIT_GENESIS = "0".repeat(64);

/** One event of the audit trail in its canonical form, without sequence and hashes. Times are UTC. */
export const AuditRecord = z.strictObject({
  schemaVersion: z.literal(AUDIT_SCHEMA_VERSION),
  id: z.uuid(),
  at: z.iso.datetime(),
  environmentId: z.uuid().nullable(),
  actorKind: z.enum(["anonymous", "user", "token", "system"]),
  actorId: z.string().nullable(),
  actorName: z.string(),
  isOwner: z.boolean(),
  roles: z.array(z.string()),
  sessionId: z.string().nullable(),
  tokenId: z.string().nullable(),
  tokenScope: z.unknown().nullable(),
  origin: z.enum(["ui", "api", "mcp", "scheduler"]),
  requestId: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  action: z.string(),
  targetType: z.string().nullable(),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  decision: z.enum(["allowed", "denied"]),
  reason: z.string(),
  outcome: z.enum(["intent", "success", "failure"]),
  errorCode: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Control characters written out, so that a name can neither start a line nor drive a terminal; at most that many characters. */
export function plainText(text: string, maxLength = 300): string {
  return Array.from(text, (char) => (isControl(char) ? `\\u${char.codePointAt(0)?.toString(16).padStart(4, "0")}` : char))
    .slice(0, maxLength)
    .join("");
}

function isControl(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029 || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || (code >= 0xd800 && code <= 0xdfff); // lone surrogates: PostgreSQL refuses them in JSON
}
