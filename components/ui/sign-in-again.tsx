"use client";

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { ApiError } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { signInWithPassword, signInWithProvider } from "@/lib/client/session";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field, Input } from "./field";
import { Notice } from "./notice";

type Waiting = { go: () => void; giveUp: () => void };

/**
 * Runs a deed for which the server may want a fresh sign-in: then the dialog asks for the password and the deed goes on, or leads to the identity
 * provider, which comes back to this page.
 */
export function useFreshSignIn(): { withFreshSignIn: <T>(deed: () => Promise<T>) => Promise<T>; signInDialog: ReactNode } {
  const waiting = useRef<Waiting | null>(null);
  const [isOpen, setOpen] = useState(false);

  async function withFreshSignIn<T>(deed: () => Promise<T>): Promise<T> {
    try {
      return await deed();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "sign_in_again") throw error;
      await new Promise<void>((resolve, reject) => {
        waiting.current = { go: resolve, giveUp: () => reject(error) };
        setOpen(true);
      });
      return deed();
    }
  }

  function close(isSignedIn: boolean) {
    setOpen(false);
    if (isSignedIn) waiting.current?.go();
    else waiting.current?.giveUp();
    waiting.current = null;
  }

  return { withFreshSignIn, signInDialog: isOpen && <SignInAgain onSignedIn={() => close(true)} onClose={() => close(false)} /> };
}

function SignInAgain({ onSignedIn, onClose }: { onSignedIn: () => void; onClose: () => void }) {
  const me = useRead("account.get", {}).data;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} size="sm" title="Sign in again" description="This takes something away from production, so it asks who you are once more.">
      {me?.method === "oidc" ? <WithProvider /> : <WithPassword email={me?.email ?? ""} onSignedIn={onSignedIn} />}
    </Dialog>
  );
}

function WithPassword({ email, onSignedIn }: { email: string; onSignedIn: () => void }) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation(); // the dialog may stand inside another form
    setPending(true);
    setFailure(null);
    await signInWithPassword({ email, password }).then(onSignedIn, (error: Error) => setFailure(error.message));
    setPending(false);
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure && <Notice tone="failed" title={failure} />}
      <Field label={`Password of ${email}`}>
        <Input type="password" autoComplete="current-password" autoFocus value={password} onChange={(event) => setPassword(event.target.value)} />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-end" pending={isPending} disabledReason={password === "" ? "Enter your password." : null}>
        Sign in and go on
      </Button>
    </form>
  );
}

function WithProvider() {
  const [failure, setFailure] = useState<string | null>(null);
  const leave = () => void signInWithProvider(window.location.pathname + window.location.search, { isAgain: true }).catch((error: Error) => setFailure(error.message));
  return (
    <div className="grid gap-4">
      {failure && <Notice tone="failed" title={failure} />}
      <p>The identity provider asks for your sign-in and comes back to this page; then do it once more, within five minutes.</p>
      <Button variant="primary" className="justify-self-end" onClick={leave}>
        Go to the identity provider
      </Button>
    </div>
  );
}
