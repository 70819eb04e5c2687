"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import { PASSWORD_MIN_LENGTH } from "@/lib/domain/identity";

export function AccountPanel() {
  const me = useRead("account.get", {}).data;
  if (!me) return null;
  const reason = me.method === "oidc" ? "You sign in through your company's identity provider; the password is changed there." : null;
  return (
    <Panel title="Account" actions={<PasswordDialog disabledReason={reason} />}>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[8rem_1fr]">
        <dt className="text-muted-foreground">Name</dt>
        <dd>{me.name}</dd>
        <dt className="text-muted-foreground">E-mail</dt>
        <dd>{me.email ?? "–"}</dd>
        <dt className="text-muted-foreground">Signs in with</dt>
        <dd>{me.method === "oidc" ? "the company's identity provider" : "e-mail and password"}</dd>
        <dt className="text-muted-foreground">In the portal</dt>
        <dd>{me.isOwner ? "owner: every right in every environment" : `member of ${formatCount(new Set(me.grants.map((grant) => grant.environmentId)).size, "environment")}`}</dd>
      </dl>
    </Panel>
  );
}

function PasswordDialog({ disabledReason }: { disabledReason: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const change = useWrite("account.changePassword", ["sessions"]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const { ended } = await change.mutateAsync({ present: String(values.get("present")), next: String(values.get("next")) });
    setOpen(false);
    toast.success("The password is changed.", { description: ended > 0 ? `${formatCount(ended, "other session")} ended.` : undefined });
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button disabledReason={disabledReason}>Change password</Button>}
      title="Change your password"
      description="Your other sessions end."
      size="sm"
    >
      <form onSubmit={(event) => void submit(event).catch(() => {})} className="grid gap-4">
        {change.error && <Notice tone="failed" title={change.error.message} />}
        <Field label="Present password" required>
          <Input type="password" name="present" autoComplete="current-password" required />
        </Field>
        <Field label="New password" hint={`At least ${PASSWORD_MIN_LENGTH} characters.`} required>
          <Input type="password" name="next" autoComplete="new-password" minLength={PASSWORD_MIN_LENGTH} required />
        </Field>
        <Button type="submit" variant="primary" pending={change.isPending}>
          Change password
        </Button>
      </form>
    </Dialog>
  );
}
