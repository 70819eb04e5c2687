"use client";

import { Check, Circle, Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { Field, Input } from "@/components/ui/field";
import { passwordMinLength } from "./account-schemas";

type PasswordFieldProps = Omit<ComponentProps<typeof Input>, "type"> & { label?: string; error?: string | undefined; hint?: ReactNode };

/** A password that can be looked at; pasting and password managers work. */
export function PasswordField({ label = "Password", error, hint, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} error={error} hint={hint} required>
      <PasswordInput {...input} isShown={isShown} onToggle={() => setShown(!isShown)} icon={<Icon aria-hidden className="size-4" />} />
    </Field>
  );
}

type PasswordInputProps = ComponentProps<typeof Input> & { isShown: boolean; onToggle: () => void; icon: ReactNode };

function PasswordInput({ isShown, onToggle, icon, ...input }: PasswordInputProps) {
  return (
    <span className="relative block">
      <Input {...input} type={isShown ? "text" : "password"} autoCapitalize="none" spellCheck={false} className="h-10 pr-10" />
      <button
        type="button"
        aria-label="Show password"
        aria-pressed={isShown}
        onClick={onToggle}
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-muted-foreground hover:text-foreground pointer-coarse:w-10"
      >
        {icon}
      </button>
    </span>
  );
}

/** The one rule, ticked while typing. Length is what counts; no forced digits or signs. */
export function PasswordRule({ password }: { password: string }) {
  const isMet = password.length >= passwordMinLength;
  const Icon = isMet ? Check : Circle;
  return (
    <span className={cn("flex items-center gap-1.5", isMet && "text-ready")}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      At least {passwordMinLength} characters; a few words are good{isMet && <span className="sr-only">: met</span>}
    </span>
  );
}
