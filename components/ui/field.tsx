"use client";

import { ChevronDown, CircleAlert } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { cn } from "./cn";

type FieldControl = { id: string; describedBy: string | undefined; isInvalid: boolean; isRequired: boolean };

const FieldContext = createContext<FieldControl | null>(null);

export type FieldProps = {
  label: ReactNode;
  /** What to enter, and in which unit; shown before anything is wrong. */
  hint?: ReactNode;
  /** What is wrong and what to do. */
  error?: string | null;
  required?: boolean;
  /** Beside the label, at the right end: a counter, a link. */
  aside?: ReactNode;
  className?: string;
  /** One Input, Textarea or Select; it takes its id and description from here. */
  children: ReactNode;
};

export function Field({ label, hint, error, required, aside, className, children }: FieldProps) {
  const id = useId();
  const describedBy = cn(hint && `${id}-hint`, error && `${id}-error`) || undefined;
  return (
    <FieldContext value={{ id, describedBy, isInvalid: Boolean(error), isRequired: Boolean(required) }}>
      <div data-slot="field" className={cn("grid min-w-0 gap-1.5", className)}>
        <div className="flex items-baseline justify-between gap-3">
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {aside && <span className="text-sm text-muted-foreground">{aside}</span>}
        </div>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted-foreground">
            {hint}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-sm text-failed">
            <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

function useFieldControl() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.isInvalid || undefined,
    "aria-required": field.isRequired || undefined,
  };
}

const control =
  "w-full min-w-0 rounded-md border border-input bg-card px-2.5 text-base text-foreground transition-colors placeholder:text-muted-foreground hover:border-foreground/60 focus-visible:border-ring aria-invalid:border-failed disabled:cursor-not-allowed disabled:border-border disabled:bg-muted disabled:text-muted-foreground max-sm:text-lg";

/** `mono` for ids, names of Kubernetes objects and tokens. */
export function Input({ className, mono, ...props }: ComponentProps<"input"> & { mono?: boolean }) {
  return (
    <input
      data-slot="input"
      {...useFieldControl()}
      className={cn(control, "h-8 pointer-coarse:h-11", mono && "font-mono text-sm", className)}
      {...props}
    />
  );
}

export function Textarea({ className, mono, ...props }: ComponentProps<"textarea"> & { mono?: boolean }) {
  return (
    <textarea
      data-slot="textarea"
      spellCheck={mono ? false : undefined}
      {...useFieldControl()}
      className={cn(control, "min-h-20 py-1.5", mono && "font-mono text-sm", className)}
      {...props}
    />
  );
}

/** The platform's own list: right on a phone, with a screen reader and with ten thousand options. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <span className={cn("relative block min-w-0", className)}>
      <select
        data-slot="select"
        {...useFieldControl()}
        className={cn(control, "h-8 appearance-none truncate pr-8 pointer-coarse:h-11")}
        {...props}
      >
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground" />
    </span>
  );
}

/** Continuous choice; give the value in words through `aria-valuetext` when the number alone says little. */
export function Slider({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input data-slot="slider" type="range" {...useFieldControl()} className={cn("h-6 w-full accent-accent", className)} {...props} />;
}
