import { z } from "zod";

const text = z.string().trim().min(1).max(120);

/** What the audit log can be narrowed to. `environmentId` "portal" means events of no environment; times are UTC, `from` included, `to` excluded. */
export const AuditFilter = z.strictObject({
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Part of a name, or a whole id. */
  actor: text.optional(),
  /** The start of an action: "tokens" or "tokens.create". */
  action: text.optional(),
  environmentId: z.union([z.uuid(), z.literal("portal")]).optional(),
  decision: z.enum(["allowed", "denied"]).optional(),
  outcome: z.enum(["intent", "success", "failure"]).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** A page of the log, newest first; `before` is the `next` of the page before it. */
export const AuditPage = AuditFilter.extend({ before: z.string().regex(/^\d{1,18}$/).optional(), limit: z.number().int().min(1).max(200).default(50) });
