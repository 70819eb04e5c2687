"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { SignInValues } from "./account-schemas";
import { FormProblem } from "./form-problem";
import { PasswordField } from "./password-field";
import { useSubmit } from "./use-submit";

export type SignInFormProps = {
  /** Rejects with what to show; the page moves on by itself after success. */
  onSubmit: (values: SignInValues) => Promise<void>;
  /** Above the form: an ended session, a used link. */
  error?: ReactNode;
  /** Name of the company's identity provider, when one is configured. */
  oidcName?: string | undefined;
  onOidc?: () => void;
};

export function SignInForm({ onSubmit, error, oidcName, onOidc }: SignInFormProps) {
  const { submit, problem } = useSubmit(onSubmit);
  const { register, handleSubmit, formState } = useForm<SignInValues>({
    resolver: zodResolver(SignInValues),
    defaultValues: { email: "", password: "" },
  });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  return (
    <div className="grid gap-5">
      {error}
      {oidcName && (
        <>
          <Button variant="primary" size="lg" onClick={onOidc}>
            Continue with {oidcName}
          </Button>
          <p className="flex items-center gap-3 text-sm text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
            or with a local account
          </p>
        </>
      )}
      <form noValidate method="post" onSubmit={handleSubmit(submit)} className="grid gap-5">
        <FormProblem problem={problem} />
        <Field label="E-mail" error={errors.email?.message} required>
          <Input type="email" autoComplete="username" autoFocus className="h-10" {...register("email")} />
        </Field>
        <PasswordField autoComplete="current-password" error={errors.password?.message} {...register("password")} />
        <Button
          type="submit"
          size="lg"
          variant={oidcName ? "secondary" : "primary"}
          pending={isSubmitting || (isSubmitSuccessful && !problem)}
        >
          Sign in
        </Button>
      </form>
    </div>
  );
}
