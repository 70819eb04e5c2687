"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ShownOnce } from "@/components/ui/shown-once";
import { useActor, useRead, useWrite } from "@/lib/client/hooks";
import { can, environmentsWith, PERMISSIONS, POLICY, type Actor, type Permission } from "@/lib/domain/policy";
import { TOKEN_MAX_DAYS } from "@/lib/domain/token";

export function TokenDialog() {
  const [isOpen, setOpen] = useState(false);
  const create = useWrite("tokens.create");
  const toggle = (open: boolean) => {
    setOpen(open);
    if (open) create.reset();
  };
  return (
    <Dialog open={isOpen} onOpenChange={toggle} trigger={<Button variant="primary">Create token</Button>} title="Create an API token" size="lg">
      {create.data ? (
        <ShownOnce title="Copy the token now: it is not shown again." secret={create.data.token} label="token">
          <p>Send it in the header Authorization: Bearer … and nowhere else.</p>
        </ShownOnce>
      ) : (
        <TokenForm create={create} />
      )}
    </Dialog>
  );
}

/** What the person may do somewhere: more cannot be given. */
function ownPermissions(actor: Actor | undefined): Permission[] {
  if (!actor) return [];
  return PERMISSIONS.filter((permission) => {
    if (permission === "link.redeem") return false;
    if (POLICY[permission].scope === "portal") return can(actor, permission, null);
    const where = environmentsWith(actor, permission);
    return where === "all" || where.length > 0;
  });
}

const READING: Permission[] = ["environment.read", "cost.read", "deployment.preview", "portal.read"];

function TokenForm({ create }: { create: ReturnType<typeof useWrite<"tokens.create">> }) {
  const permissions = ownPermissions(useActor());
  const environments = useRead("environments.list", {}).data?.environments ?? [];

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const chosen = values.getAll("environment").map(String);
    const scope = { environmentIds: chosen.length > 0 ? chosen : null, permissions: permissions.filter((one) => values.getAll("permission").includes(one)) };
    create.mutate({ name: String(values.get("name")), expiresInDays: Number(values.get("days")), scope });
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      {create.error && <Notice tone="failed" title={create.error.message} />}
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <Field label="Name" hint="What uses it: “nightly batch”." required>
          <Input name="name" required maxLength={120} autoFocus />
        </Field>
        <Field label="Ends after">
          <Select name="days" defaultValue="30">
            {[1, 7, 30, TOKEN_MAX_DAYS].map((days) => (
              <option key={days} value={days}>
                {days === 1 ? "1 day" : `${days} days`}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-medium">What it may do</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {permissions.map((permission) => (
            <Checkbox key={permission} name="permission" value={permission} label={POLICY[permission].title} defaultChecked={READING.includes(permission)} />
          ))}
        </div>
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-medium">Where</legend>
        <p className="text-sm text-muted-foreground">None chosen means every environment in which you have a role.</p>
        <div className="grid gap-2 sm:grid-cols-2">
          {environments.map((environment) => (
            <Checkbox key={environment.id} name="environment" value={environment.id} label={environment.name} />
          ))}
        </div>
      </fieldset>
      <Button type="submit" variant="primary" pending={create.isPending} className="justify-self-end">
        Create token
      </Button>
    </form>
  );
}
