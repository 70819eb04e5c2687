"use client";

import { AuthLayout } from "@/components/account/auth-layout";
import { OwnerSetupForm } from "@/components/account/owner-setup-form";
import { Notice } from "@/components/ui/notice";
import { callWrite } from "@/lib/client/api";
import { signInWithPassword } from "@/lib/client/session";
import { useLinkSecret } from "../use-link-secret";

type Values = { name: string; email: string; password: string };

export function SetupPage() {
  const secret = useLinkSecret();
  const incomplete = <Notice tone="warning" title="The link is not complete.">Copy all of the line that Lectern printed at its start, including what follows the #.</Notice>;

  async function become({ name, email, password }: Values) {
    const owner = await callWrite("links.redeemOwner", { secret: secret ?? "", name, email, password });
    await signInWithPassword({ email: owner.email, password });
    window.location.replace("/");
  }

  return (
    <AuthLayout title="Become the owner" sentence="This portal has no owner yet. You will manage people, clusters and environments." footer="The link works once, for 24 hours.">
      <OwnerSetupForm onSubmit={become} error={secret === "" ? incomplete : undefined} />
    </AuthLayout>
  );
}
