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

type Params = Record<string, string | string[] | undefined>;
const DAY_MS = 24 * 60 * 60 * 1000;

function startOf(day: unknown, plusDays = 0): string | undefined {
  const at = typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at + plusDays * DAY_MS).toISOString();
}

/** The page of the log that an address asks for; days are UTC and both included. What is not valid is left out. */
export function auditQuery(params: Params): z.input<typeof AuditPage> {
  const { from, to, ...rest } = params;
  const known = { ...rest, from: startOf(from), to: startOf(to, 1) };
  const wanted = Object.keys(AuditPage.shape).map((name) => {
    const field = AuditPage.shape[name as keyof typeof AuditPage.shape].safeParse(known[name as keyof typeof known] || undefined); // keys of the same shape
    return [name, name !== "limit" && field.success ? field.data : undefined] as const;
  });
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
}
