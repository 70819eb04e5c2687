"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ShownOnce } from "@/components/ui/shown-once";
import { useCan, useWrite } from "@/lib/client/hooks";
import { Role } from "@/lib/domain/policy-schema";
import { RoleSelect } from "./role-select";

export type InviteDialogProps = { environmentId: string; environmentName: string };

export function InviteDialog({ environmentId, environmentName }: InviteDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const create = useWrite("invitations.create");
  const { reason } = useCan("member.manage", environmentId);
  const toggle = (open: boolean) => {
    setOpen(open);
    if (open) create.reset();
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    create.mutate({ email: String(values.get("email")), grants: [{ environmentId, role: Role.parse(values.get("role")) }] });
  }

  return (
    <Dialog open={isOpen} onOpenChange={toggle} trigger={<Button disabledReason={reason}>Invite</Button>} title={`Invite to ${environmentName}`}>
      {create.data ? (
        <ShownOnce title="Send this link to the person: it is not shown again." secret={create.data.url} label="invitation link" />
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          {create.error && <Notice tone="failed" title={create.error.message} />}
          <Field label="E-mail" hint="The account is made for this address." required>
            <Input type="email" name="email" required autoFocus />
          </Field>
          <Field label="Role">
            <RoleSelect name="role" defaultValue="viewer" />
          </Field>
          <Button type="submit" variant="primary" pending={create.isPending} className="justify-self-end">
            Create invitation link
          </Button>
        </form>
      )}
    </Dialog>
  );
}
