"use client";

import { useRouter } from "next/navigation";
import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useCan, useWrite } from "@/lib/client/hooks";
import { EnvironmentKind } from "@/lib/domain/environment";
import { KindField, PlaceFields, placeOf, RetentionField } from "./place-fields";

export function CreateDialog() {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const create = useWrite("environments.create", ["clusters"]);
  const { reason } = useCan("portal.manage", null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const input = { name: String(values.get("name")), slug: String(values.get("slug")), kind: EnvironmentKind.parse(values.get("kind")), retentionHours: Number(values.get("retentionHours")), ...placeOf(values) };
    create.mutate(input, { onSuccess: ({ slug }) => router.push(`/environments/${slug}`) });
  }

  return (
    <Dialog open={isOpen} onOpenChange={setOpen} size="lg" trigger={<Button disabledReason={reason}>New environment</Button>} title="New environment" description="A namespace of a cluster, with members, rules and retention of its own. A production environment begins with an approval by somebody else.">
      <form onSubmit={submit} className="grid gap-4">
        {create.error && <Notice tone="failed" title={create.error.message} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" required>
            <Input name="name" required maxLength={60} autoFocus />
          </Field>
          <Field label="Short name" hint="In addresses; it does not change." required>
            <Input name="slug" mono required maxLength={40} pattern="[a-z]([a-z0-9-]*[a-z0-9])?" />
          </Field>
          <KindField kind="development" />
          <RetentionField hours={24} />
        </div>
        <PlaceFields />
        <Button type="submit" variant="primary" pending={create.isPending} className="justify-self-end">
          Create environment
        </Button>
      </form>
    </Dialog>
  );
}
