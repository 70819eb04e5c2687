"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { againstInvoice, invoiceSentence } from "@/lib/domain/cost-invoice";
import type { CostReport } from "@/lib/domain/cost-report-schema";

export type InvoiceLineProps = { environmentId: string; report: CostReport };

/** What the provider has invoiced, against what was counted here. */
export function InvoiceLine({ environmentId, report }: InvoiceLineProps) {
  const month = report.month.key;
  const [isOpen, setOpen] = useState(false);
  const invoice = useRead("invoices.get", { environmentId, month }).data?.invoice ?? null;
  const found = invoice && againstInvoice(report.self.total, invoice, report.rates);
  return (
    <div className="grid gap-3 border-t p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <span>
          {invoice && found ? (
            <>
              {invoiceSentence(invoice, found)} <span className="text-sm text-muted-foreground">{invoice.source}, entered by {invoice.by}</span>
            </>
          ) : (
            <span className="text-muted-foreground">No invoice of this month is entered to hold against the total.</span>
          )}
        </span>
        <Button size="sm" className="print:hidden" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {invoice ? "Change the invoice" : "Enter the invoice"}
        </Button>
      </p>
      {isOpen && <InvoiceForm environmentId={environmentId} month={month} invoice={invoice ?? { amount: "", currency: report.currency, source: "" }} onDone={() => setOpen(false)} />}
    </div>
  );
}

type FormProps = { environmentId: string; month: string; invoice: { amount: string; currency: string; source: string }; onDone: () => void };

function InvoiceForm({ environmentId, month, invoice, onDone }: FormProps) {
  const save = useWrite("invoices.set");
  const may = useCan("environment.edit", environmentId);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const text = (name: string) => String(values.get(name) ?? "").trim();
    const next = text("amount") === "" ? null : { amount: text("amount"), currency: text("currency").toUpperCase(), source: text("source") };
    save.mutate({ environmentId, month, invoice: next }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-[1fr_6rem_2fr_auto]">
      <Field label="Invoiced, without taxes" hint="Empty takes it out.">
        <Input name="amount" inputMode="decimal" defaultValue={invoice.amount} />
      </Field>
      <Field label="Currency" hint="ISO code">
        <Input name="currency" maxLength={3} defaultValue={invoice.currency} />
      </Field>
      <Field label="Which invoice" hint="Number or address, so that others find it.">
        <Input name="source" maxLength={200} defaultValue={invoice.source} />
      </Field>
      <Button type="submit" pending={save.isPending} disabledReason={may.reason ?? null} className="sm:mb-6">
        Save
      </Button>
      {save.error && <Notice tone="failed" title={save.error.message} className="sm:col-span-4" />}
    </form>
  );
}
