"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toaster";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { Role } from "@/lib/domain/policy-schema";
import { RoleSelect } from "./role-select";

export type AddMemberDialogProps = { environmentId: string };

export function AddMemberDialog({ environmentId }: AddMemberDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const { reason } = useCan("member.manage", environmentId);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button disabledReason={reason}>Add member</Button>}
      title="Add a member"
      description="Someone who has an account, or a group of your identity provider. Others are invited below."
    >
      <AddMemberForm environmentId={environmentId} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function AddMemberForm({ environmentId, onDone }: AddMemberDialogProps & { onDone: () => void }) {
  const [kind, setKind] = useState<"person" | "group">("person");
  const setRole = useWrite("members.setRole");

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const who = String(values.get("who") ?? "");
    const member = kind === "person" ? { kind, userId: who } : { kind, group: who };
    const options = { onSuccess: () => (toast.success("The member is added."), onDone()) };
    setRole.mutate({ environmentId, member, role: Role.parse(values.get("role")) }, options);
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      {setRole.error && <Notice tone="failed" title={setRole.error.message} />}
      <Segmented label="Kind of member" value={kind} onChange={setKind} options={[{ value: "person", label: "Person" }, { value: "group", label: "Group" }]} />
      {kind === "person" ? (
        <PersonField environmentId={environmentId} />
      ) : (
        <Field label="Group" hint="As the identity provider names it in the claim groups." required>
          <Input name="who" mono required maxLength={200} />
        </Field>
      )}
      <Field label="Role">
        <RoleSelect name="role" defaultValue="viewer" />
      </Field>
      <Button type="submit" variant="primary" pending={setRole.isPending} className="justify-self-end">
        Add member
      </Button>
    </form>
  );
}

function PersonField({ environmentId }: AddMemberDialogProps) {
  const people = useRead("members.candidates", { environmentId }).data?.people ?? [];
  const hint = people.length === 0 ? "Everybody who has an account is a member already: invite the person instead." : "Up to 50 people who have no role here yet.";
  return (
    <Field label="Person" hint={hint} required>
      <Select name="who" required>
        {people.map((person) => (
          <option key={person.userId} value={person.userId}>
            {person.email ? `${person.name} (${person.email})` : person.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
