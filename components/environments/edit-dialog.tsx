"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useWrite } from "@/lib/client/hooks";
import { EnvironmentKind } from "@/lib/domain/environment";
import { KindField, RetentionField } from "./place-fields";

export type EnvironmentProps = { environment: Output<"environments.list">["environments"][number] };

export function EditDialog({ environment }: EnvironmentProps) {
  const [isOpen, setOpen] = useState(false);
  const edit = useWrite("environments.edit", ["clusters"]);
  const { reason } = useCan("environment.edit", environment.id);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const input = { id: environment.id, name: String(values.get("name")), kind: EnvironmentKind.parse(values.get("kind")), retentionHours: Number(values.get("retentionHours")) };
    edit.mutate(input, { onSuccess: () => (toast.success("The environment is changed."), setOpen(false)) });
  }

  return (
    <Dialog open={isOpen} onOpenChange={setOpen} trigger={<Button disabledReason={reason}>Edit</Button>} title={`Edit ${environment.name}`}>
      <form onSubmit={submit} className="grid gap-4">
        {edit.error && <Notice tone="failed" title={edit.error.message} />}
        <Field label="Name" required>
          <Input name="name" required maxLength={60} defaultValue={environment.name} />
        </Field>
        <KindField kind={environment.kind} />
        <RetentionField hours={environment.retentionHours} />
        <Button type="submit" variant="primary" pending={edit.isPending} className="justify-self-end">
          Save
        </Button>
      </form>
    </Dialog>
  );
}
