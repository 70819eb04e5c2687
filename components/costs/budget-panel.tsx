"use client";

import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import type { Input as InputOf, Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type BudgetRow = Output<"budgets.get">["budgets"][number];
type Kind = BudgetRow["kind"];
type Rule = BudgetRow["rule"];
const REFRESH_MS = 60_000;
const NAMES: Record<Kind, string> = { node_hours: "Node hours a month", money: "Money a month" };
const RULES: Record<Rule, string> = { warn: "say so, and let it run", approve: "ask somebody else for an approval", block: "refuse every start" };

/** Budgets that need a look, above everything else on the page. */
export function BudgetLines({ environmentId }: { environmentId: string }) {
  const rows = useRead("budgets.get", { environmentId }, { refetchInterval: REFRESH_MS }).data?.budgets ?? [];
  const loud = rows.filter((row) => row.state !== "fine");
  return loud.map((row) => (
    <Notice key={row.kind} tone={row.state === "spent" ? "failed" : "warning"} title={row.sentence}>
      {row.state === "spent" && row.rule !== "warn" && <Beyond row={row} environmentId={environmentId} />}
    </Notice>
  ));
}

/** What a person can do about a budget that stops starts. */
function Beyond({ row, environmentId }: { row: BudgetRow; environmentId: string }) {
  const [reason, setReason] = useState("");
  const ask = useWrite("budgets.request", ["approvals"]);
  const may = useCan("deployment.apply", environmentId);
  if (row.rule === "block") return "Nothing starts here until an admin raises it or the next month begins.";
  if (row.approval) return row.approval.state === "approved" ? `Going beyond it is approved until ${row.approval.until.slice(0, 16).replace("T", " ")} UTC.` : "Somebody was asked to approve going beyond it, and has not decided yet.";
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate({ environmentId, kind: row.kind, reason }, { onSuccess: () => toast.success("Somebody else decides now") });
      }}
    >
      <Field label="Why it should go on" className="w-72" error={ask.error?.message ?? null}>
        <Input value={reason} onChange={(event) => setReason(event.target.value)} required minLength={3} />
      </Field>
      <Button type="submit" pending={ask.isPending} disabledReason={may.reason ?? null}>
        Ask for an approval
      </Button>
    </form>
  );
}

export function BudgetPanel({ environmentId, currency }: { environmentId: string; currency: string }) {
  const { data, error, refetch } = useRead("budgets.get", { environmentId });
  return (
    <Panel title="Budgets" description="Warned at 80 % and when the pace is too fast, by the environment's notices. The rule holds at every door: people, tokens, agents and the schedule.">
      {error && <ErrorState problem={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingText lines={3} />}
      {data && (
        <div className="grid gap-8 lg:grid-cols-2">
          {(["node_hours", "money"] as const).map((kind) => (
            <BudgetCard key={kind} kind={kind} row={data.budgets.find((one) => one.kind === kind)} environmentId={environmentId} currency={currency} />
          ))}
        </div>
      )}
    </Panel>
  );
}

type CardProps = { kind: Kind; row: BudgetRow | undefined; environmentId: string; currency: string };

function BudgetCard({ kind, row, environmentId, currency }: CardProps) {
  const set = useWrite("budgets.set");
  const remove = useWrite("budgets.remove");
  const may = useCan("environment.edit", environmentId);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const budget: InputOf<"budgets.set">["budget"] = { kind, amount: String(values.get("amount")), currency: kind === "money" ? String(values.get("currency")).toUpperCase() : "", rule: ruleOf(values.get("rule")) };
    set.mutate({ environmentId, budget }, { onSuccess: () => toast.success("The budget is set") });
  };
  return (
    <section className="grid content-start gap-4" aria-label={NAMES[kind]}>
      <h3 className="flex items-center gap-2 font-medium">
        {NAMES[kind]} {!row && <Badge>none</Badge>}
      </h3>
      {row && <BudgetBar row={row} />}
      <form onSubmit={submit} key={JSON.stringify(row ?? null)} className="grid gap-3 sm:grid-cols-2">
        <Field label={kind === "money" ? "Amount" : "Hours"} required>
          <Input name="amount" inputMode="decimal" required defaultValue={row?.amount ?? ""} placeholder={kind === "money" ? "500" : "720"} />
        </Field>
        {kind === "money" && (
          <Field label="Currency" required>
            <Input name="currency" required maxLength={3} defaultValue={row?.currency || currency} />
          </Field>
        )}
        <Field label="When it is used up" className="sm:col-span-2">
          <Select name="rule" defaultValue={row?.rule ?? "warn"}>
            {Object.entries(RULES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {set.error && <Notice tone="failed" title={set.error.message} className="sm:col-span-2" />}
        <div className="flex gap-2 sm:col-span-2">
          <Button type="submit" pending={set.isPending} disabledReason={may.reason ?? null}>
            {row ? "Change the budget" : "Set the budget"}
          </Button>
          {row && (
            <Button variant="ghost" pending={remove.isPending} disabledReason={may.reason ?? null} onClick={() => remove.mutate({ environmentId, kind })}>
              Remove it
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

function ruleOf(value: FormDataEntryValue | null): Rule {
  return value === "block" || value === "approve" ? value : "warn";
}

const tones: Record<BudgetRow["state"], string> = { fine: "bg-accent", early: "bg-working", warned: "bg-working", spent: "bg-failed", unknown: "bg-muted-foreground" };

/** The share as a bar with its mark at 80 %, and the same in words. */
function BudgetBar({ row }: { row: BudgetRow }) {
  const share = Math.min(1, Number(row.share ?? 0));
  return (
    <div className="grid gap-2">
      <div aria-hidden className="relative h-3 overflow-hidden rounded-sm border bg-muted">
        <span className={cn("block h-full", tones[row.state])} style={{ width: `${share * 100}%` }} />
        <span className="absolute inset-y-0 left-[80%] w-px bg-foreground/50" />
      </div>
      <p>{row.sentence}</p>
    </div>
  );
}
