"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { OwnerSetupValues } from "./account-schemas";
import { FormProblem } from "./form-problem";
import { PasswordField, PasswordRule } from "./password-field";
import { useSubmit } from "./use-submit";

export type OwnerSetupFormProps = { onSubmit: (values: OwnerSetupValues) => Promise<void>; error?: ReactNode };

export function OwnerSetupForm({ onSubmit, error }: OwnerSetupFormProps) {
  const { submit, problem } = useSubmit(onSubmit);
  const { register, handleSubmit, control, formState } = useForm<OwnerSetupValues>({
    resolver: zodResolver(OwnerSetupValues),
    defaultValues: { name: "", email: "", password: "" },
  });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const password = useWatch({ control, name: "password" });
  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)} className="grid gap-5">
      {error}
      <FormProblem problem={problem} />
      <Field label="Your name" hint="Shown to colleagues and in the audit log." error={errors.name?.message} required>
        <Input autoComplete="name" autoFocus className="h-10" {...register("name")} />
      </Field>
      <Field label="E-mail" error={errors.email?.message} required>
        <Input type="email" autoComplete="username" className="h-10" {...register("email")} />
      </Field>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={<PasswordRule password={password} />}
        error={errors.password?.message}
        {...register("password")}
      />
      <Button type="submit" variant="primary" size="lg" pending={isSubmitting || (isSubmitSuccessful && !problem)}>
        Become owner
      </Button>
    </form>
  );
}
