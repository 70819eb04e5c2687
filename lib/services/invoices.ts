import "server-only";
import { z } from "zod";
import { DECIMAL } from "@/lib/domain/money";
import { MonthKey } from "./costs-report";
import { read, write } from "./operation";

const Where = z.strictObject({ environmentId: z.uuid(), month: MonthKey });
const Amount = z.strictObject({
  amount: z.string().trim().regex(DECIMAL, 'Write a decimal such as "540.00", without signs or separators.'),
  currency: z.string().trim().regex(/^[A-Z]{3}$/, "Write the ISO code of the currency, like USD."),
  source: z.string().trim().min(1, "Name the invoice.").max(200),
});
const aboutOne = { environment: async (input: { environmentId: string }) => input.environmentId } as const;

export const invoicesGet = read({
  ...aboutOne,
  name: "invoices.get",
  summary: "What the provider has invoiced for an environment's nodes of a month",
  permission: "cost.read",
  input: Where,
  output: z.strictObject({ invoice: Amount.extend({ by: z.string() }).nullable() }),
  run: async ({ db, input }) => {
    const row = await db.invoice.findUnique({ where: { environmentId_month: input } });
    if (!row) return { invoice: null };
    const person = row.createdById === null ? null : await db.user.findUnique({ where: { id: row.createdById }, select: { name: true } });
    return { invoice: { amount: row.amount, currency: row.currency, source: row.source, by: person?.name ?? "someone who has left" } };
  },
});

export const invoicesSet = write({
  ...aboutOne,
  name: "invoices.set",
  summary: "Enter, change or take out what the provider has invoiced; it is compared with the total and never part of it",
  permission: "environment.edit",
  effect: "database",
  input: Where.extend({ invoice: Amount.nullable() }),
  output: z.strictObject({ month: z.string() }),
  target: ({ environmentId, month, invoice }) => ({ type: "environment", id: environmentId, detail: { month, amount: invoice?.amount ?? null, currency: invoice?.currency ?? null } }),
  run: async ({ caller, db, input: { environmentId, month, invoice } }) => {
    if (!invoice) await db.invoice.deleteMany({ where: { environmentId, month } });
    else {
      const data = { ...invoice, createdById: caller.actor.userId };
      await db.invoice.upsert({ where: { environmentId_month: { environmentId, month } }, create: { environmentId, month, ...data }, update: data });
    }
    return { month };
  },
});
