"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { AcceptInvitationForm } from "@/components/account/accept-invitation-form";
import { AuthLayout } from "@/components/account/auth-layout";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { callWrite } from "@/lib/client/api";
import { signInWithPassword } from "@/lib/client/session";
import { useLinkSecret } from "../use-link-secret";

type Values = { name: string; password: string };

export function InvitePage() {
  const secret = useLinkSecret();
  const { mutate, data, error } = useMutation({ mutationFn: (given: string) => callWrite("invitations.open", { secret: given }) });
  useEffect(() => {
    if (secret !== undefined) mutate(secret);
  }, [secret, mutate]);

  async function join({ name, password }: Values) {
    const account = await callWrite("invitations.redeem", { secret: secret ?? "", name, password });
    await signInWithPassword({ email: account.email, password });
    window.location.replace("/");
  }

  return (
    <AuthLayout title="Accept the invitation" sentence="Create your account to join." footer="The link works once, for 7 days.">
      {error && <ErrorState problem={problemOf(error)} />}
      {!error && !data && <LoadingText label="Looking at the invitation" />}
      {data && <AcceptInvitationForm email={data.email} onSubmit={join} />}
    </AuthLayout>
  );
}
