"use client";

import { useState } from "react";
import type { ZodType } from "zod";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import type { Input as InputOf } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";

export type AdditionField = { key: string; label: string; hint?: string; type?: "text" | "number"; options?: readonly { value: string; label: string }[]; initial?: string };
type Values = Record<string, string>;
type Added = InputOf<"catalog.add">;

type AdditionFormProps = { title: string; fields: readonly AdditionField[]; schema: ZodType; build: (values: Values) => unknown; wrap: (checked: unknown) => Added };

/** One form for what an administrator may add: the domain's own schema says what is wrong, field by field. */
export function AdditionForm({ title, fields, schema, build, wrap }: AdditionFormProps) {
  const empty = Object.fromEntries(fields.map((field) => [field.key, field.initial ?? field.options?.[0]?.value ?? ""]));
  const [values, setValues] = useState<Values>(empty);
  const [isTried, setIsTried] = useState(false);
  const add = useWrite("catalog.add", ["catalog"]);
  const checked = schema.safeParse(build(values));
  const errorOf = (key: string) => (isTried && !checked.success ? (checked.error.issues.find((issue) => issue.path.join(".") === key)?.message ?? null) : null);

  async function submit() {
    setIsTried(true);
    if (!checked.success) return;
    const done = await add.mutateAsync(wrap(checked.data)).catch(() => null);
    if (!done) return;
    toast.success(`Added ${done.id}`);
    setValues(empty);
    setIsTried(false);
  }

  return (
    <form
      className="grid gap-4"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map(({ key, label, hint, type, options }) => (
          <Field key={key} label={label} hint={hint} error={errorOf(key)}>
            {options ? (
              <Select value={values[key] ?? ""} onChange={(event) => setValues({ ...values, [key]: event.target.value })}>
                {options.map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </Select>
            ) : (
              <Input type={type ?? "text"} step="any" value={values[key] ?? ""} onChange={(event) => setValues({ ...values, [key]: event.target.value })} spellCheck={false} autoComplete="off" />
            )}
          </Field>
        ))}
      </div>
      {add.error && <Notice tone="failed" title={add.error.message} />}
      <div>
        <Button type="submit" variant="primary" pending={add.isPending}>
          {title}
        </Button>
      </div>
    </form>
  );
}
