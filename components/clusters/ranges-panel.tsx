"use client";

import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";

export function RangesPanel() {
  const { data } = useRead("clusters.ranges", {});
  const save = useWrite("clusters.setRanges");

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("ranges"));
    save.mutate({ ranges: text.split(/[\s,]+/).filter((one) => one !== "") }, { onSuccess: () => void toast.success("The ranges are saved.") });
  }

  if (!data) return null;
  return (
    <Panel title="Private addresses" description="Lectern connects to public addresses only, and to the private ranges that stand here. Loopback, link-local and metadata addresses are never allowed.">
      <form onSubmit={submit} className="grid max-w-xl gap-3">
        {save.error && <Notice tone="failed" title={save.error.message} />}
        <Field label="Ranges" hint="One per line, such as 10.20.0.0/16.">
          <Textarea mono name="ranges" key={data.ranges.join()} defaultValue={data.ranges.join("\n")} rows={3} />
        </Field>
        <Button type="submit" pending={save.isPending} className="justify-self-start">
          Save ranges
        </Button>
      </form>
    </Panel>
  );
}
