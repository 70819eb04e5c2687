"use client";

import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

/** How the whole portal counts costs. */
export function CostSettingsForm() {
  const settings = useRead("costs.settings", {}).data;
  const may = useCan("portal.manage", null);
  const save = useWrite("costs.setSettings", ["costs"]);
  if (!settings) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    save.mutate(
      { timeZone: String(values.get("timeZone")).trim(), countFrom: values.get("countFrom") === "node" ? "node" : "pod", rawDays: Number(values.get("rawDays")) },
      { onSuccess: () => toast.success("The settings are saved") },
    );
  };
  return (
    <Panel title="How costs are counted" description="For the whole portal.">
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-3" key={JSON.stringify(settings)}>
        <Field label="Time zone" hint="Months and days begin at midnight here.">
          <Input name="timeZone" defaultValue={settings.timeZone} />
        </Field>
        <Field label="A node counts" hint="Kept nodes are shown either way.">
          <Select name="countFrom" defaultValue={settings.countFrom}>
            <option value="pod">while a pod holds it</option>
            <option value="node">from ready to gone, also without a pod</option>
          </Select>
        </Field>
        <Field label="Raw page rows are kept for, days" hint="The hours are kept for ever.">
          <Input name="rawDays" type="number" min={7} max={3650} defaultValue={settings.rawDays} />
        </Field>
        {save.error && <Notice tone="failed" title={save.error.message} />}
        <Button type="submit" className="w-fit" pending={save.isPending} disabledReason={may.reason ?? null}>
          Save
        </Button>
      </form>
    </Panel>
  );
}
