"use client";

import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import type { Output } from "@/lib/client/api";
import { useCan, useWrite } from "@/lib/client/hooks";

export type Notes = Output<"notes.list">["notes"];
export type NotesPanelProps = { environmentId: string; month: string; notes: Notes };

/** What happened on which day: written here, drawn on the chart. */
export function NotesPanel({ environmentId, month, notes }: NotesPanelProps) {
  const add = useWrite("notes.add");
  const remove = useWrite("notes.remove");
  const isAdmin = useCan("environment.edit", environmentId).allowed;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    add.mutate({ environmentId, day: String(values.get("day")), text: String(values.get("text")) }, { onSuccess: () => form.reset() });
  };
  return (
    <div className="grid gap-3">
      {notes.length > 0 && (
        <ol className="grid gap-1" aria-label="Notes on the chart">
          {notes.map(({ id, day, text, by, isMine }, index) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3">
              <span className="tabular-nums text-muted-foreground">
                {index + 1} · {day}
              </span>
              <span className="min-w-0 break-words">{text}</span>
              <span className="text-sm text-muted-foreground">{by}</span>
              {(isMine || isAdmin) && (
                <Button variant="link" size="sm" className="print:hidden" aria-label={`Remove the note ${text}`} onClick={() => remove.mutate({ id })}>
                  remove
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3 print:hidden">
        <Field label="Note on" className="w-40">
          <Input type="date" name="day" required min={`${month}-01`} max={`${month}-31`} />
        </Field>
        <Field label="What happened" className="min-w-48 flex-1" error={add.error?.message ?? null}>
          <Input name="text" required maxLength={200} placeholder="second node added" />
        </Field>
        <Button type="submit" pending={add.isPending}>
          Add the note
        </Button>
      </form>
    </div>
  );
}
