"use client";

import { AuthLayout } from "@/components/account/auth-layout";
import { SignInForm } from "@/components/account/sign-in-form";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toaster";
import { safePath, signInWithPassword, signInWithProvider } from "@/lib/client/session";

export type SignInPageProps = { oidcName: string | undefined; next: string | undefined; error: string | undefined };

const REASONS: Record<string, string> = {
  SessionEnded: "Your session has ended. Sign in again; you come back to where you were.",
  AccessDenied: "Your account is disabled. Ask an owner of the portal.",
  OAuthSignin: "The identity provider does not answer. Try again, or sign in with a local account.",
  OAuthCallback: "The identity provider's answer was not accepted. Start again from here; a link from an e-mail or history does not work.",
};

export function SignInPage({ oidcName, next, error }: SignInPageProps) {
  const notice = error ? <Notice tone="failed" title={REASONS[error] ?? "Signing in did not work. Try again."} /> : undefined;

  async function signIn(values: { email: string; password: string }) {
    await signInWithPassword(values);
    window.location.assign(safePath(next));
  }
  const leave = () => void signInWithProvider(safePath(next)).catch((reason: Error) => toast.error(reason.message));

  return (
    <AuthLayout title="Sign in" footer="There is no open registration: the owner or an admin invites you.">
      <SignInForm onSubmit={signIn} error={notice} oidcName={oidcName} onOidc={leave} />
    </AuthLayout>
  );
}
