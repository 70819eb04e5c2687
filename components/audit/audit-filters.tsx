"use client";

import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { useUrlState } from "@/lib/client/url-state";

const NAMES = ["from", "to", "actor", "action", "environmentId", "decision", "outcome"] as const;

export type AuditFiltersProps = { environments: { id: string; name: string }[] };

/** Lists apply at once, typed words with Enter; the address keeps them. */
export function AuditFilters({ environments }: AuditFiltersProps) {
  const url = useUrlState();
  const isFiltered = NAMES.some((name) => url.get(name));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    url.set({ ...Object.fromEntries(NAMES.map((name) => [name, String(values.get(name) ?? "").trim()])), before: undefined });
  }
  const clear = () => url.set({ ...Object.fromEntries(NAMES.map((name) => [name, undefined])), before: undefined });
  const applied = NAMES.map((name) => url.get(name)).join("|");

  return (
    <form key={applied} onSubmit={submit} aria-label="Filter events" className="grid grid-cols-2 items-end gap-3 sm:grid-cols-4 xl:grid-cols-8">
      <Field label="From" aside="UTC">
        <Input type="date" name="from" defaultValue={url.get("from")} />
      </Field>
      <Field label="To" aside="UTC">
        <Input type="date" name="to" defaultValue={url.get("to")} />
      </Field>
      <Field label="Who">
        <Input name="actor" placeholder="Name or id" defaultValue={url.get("actor")} />
      </Field>
      <Field label="Action">
        <Input name="action" placeholder="tokens.create" mono defaultValue={url.get("action")} />
      </Field>
      <FilterSelect name="environmentId" label="Where" any="Everywhere" value={url.get("environmentId")} options={[["portal", "Portal"], ...environments.map(({ id, name }): [string, string] => [id, name])]} />
      <FilterSelect name="decision" label="Decision" any="Any" value={url.get("decision")} options={[["allowed", "Allowed"], ["denied", "Denied"]]} />
      <FilterSelect name="outcome" label="Outcome" any="Any" value={url.get("outcome")} options={[["success", "Success"], ["failure", "Failure"], ["intent", "Intent"]]} />
      <div className="flex gap-2">
        <Button type="submit">Filter</Button>
        {isFiltered && (
          <Button variant="ghost" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}

type FilterSelectProps = { name: string; label: string; any: string; value: string | undefined; options: [string, string][] };

function FilterSelect({ name, label, any, value, options }: FilterSelectProps) {
  return (
    <Field label={label}>
      <Select name={name} defaultValue={value ?? ""} onChange={(event) => event.currentTarget.form?.requestSubmit()}>
        <option value="">{any}</option>
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </Select>
    </Field>
  );
}
