"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { AcceptInvitationValues } from "./account-schemas";
import { FormProblem } from "./form-problem";
import { PasswordField, PasswordRule } from "./password-field";
import { useSubmit } from "./use-submit";

export type AcceptInvitationFormProps = {
  /** The invited address; it cannot be changed here. */
  email: string;
  onSubmit: (values: AcceptInvitationValues) => Promise<void>;
  error?: ReactNode;
};

export function AcceptInvitationForm({ email, onSubmit, error }: AcceptInvitationFormProps) {
  const { submit, problem } = useSubmit(onSubmit);
  const { register, handleSubmit, control, formState } = useForm<AcceptInvitationValues>({
    resolver: zodResolver(AcceptInvitationValues),
    defaultValues: { name: "", password: "" },
  });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const password = useWatch({ control, name: "password" });
  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)} className="grid gap-5">
      {error}
      <FormProblem problem={problem} />
      <Field label="E-mail" hint="The invitation is for this address.">
        <Input type="email" autoComplete="username" readOnly value={email} className="h-10 bg-muted" />
      </Field>
      <Field label="Your name" hint="Shown to colleagues and in the audit log." error={errors.name?.message} required>
        <Input autoComplete="name" autoFocus className="h-10" {...register("name")} />
      </Field>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={<PasswordRule password={password} />}
        error={errors.password?.message}
        {...register("password")}
      />
      <Button type="submit" variant="primary" size="lg" pending={isSubmitting || (isSubmitSuccessful && !problem)}>
        Join
      </Button>
    </form>
  );
}
