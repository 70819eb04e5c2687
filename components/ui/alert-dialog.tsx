"use client";

import { Check, Trash2 } from "lucide-react";
import { AlertDialog as Radix } from "radix-ui";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { dialogClass, overlayClass } from "./dialog";
import { Field, Input } from "./field";
import { Notice } from "./notice";

export type ConfirmDialogProps = {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  /** The deed as a question: "Delete lightonocr in staging?" */
  title: string;
  description?: ReactNode;
  /** What will be gone, and what is kept. */
  goes: string[];
  stays?: string[];
  /** The deed alone opens only after this name has been typed. */
  typedName?: string;
  /** The deed: "Delete deployment". */
  actionLabel: string;
  /** Resolves when done (the dialog closes); rejects to keep it open with the reason. */
  onConfirm: () => Promise<void> | void;
  /** False for a deed that can be undone: the button is then not red. */
  destructive?: boolean;
};

export function ConfirmDialog({ open, onOpenChange, trigger, ...body }: ConfirmDialogProps) {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const isOpen = open ?? isOwnOpen;
  const setOpen = onOpenChange ?? setOwnOpen;
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content data-slot="confirm-dialog" className={cn(dialogClass, "sm:max-w-lg")} aria-describedby={undefined}>
          <ConfirmBody {...body} onDone={() => setOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ConfirmBodyProps = Omit<ConfirmDialogProps, "open" | "onOpenChange" | "trigger"> & { onDone: () => void };

function ConfirmBody({
  title,
  description,
  goes,
  stays = [],
  typedName,
  actionLabel,
  onConfirm,
  destructive = true,
  onDone,
}: ConfirmBodyProps) {
  const [typed, setTyped] = useState("");
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const disabledReason = typedName && typed !== typedName ? `Type ${typedName} first.` : null;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (disabledReason || isPending) return;
    setPending(true);
    setFailure(null);
    try {
      await onConfirm();
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "It did not work, and no reason was given. Try again.");
    } finally {
      setPending(false);
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
      {description && <Radix.Description className="text-muted-foreground">{description}</Radix.Description>}
      <Consequences title="This goes" items={goes} icon={<Trash2 aria-hidden className="text-failed" />} />
      <Consequences title="This stays" items={stays} icon={<Check aria-hidden className="text-ready" />} />
      {typedName && (
        <Field
          label={
            <>
              Type <span className="font-mono">{typedName}</span> to confirm
            </>
          }
        >
          <Input mono autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
      {failure && <Notice tone="failed" title={failure} />}
      <footer className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Radix.Cancel asChild>
          <Button>Cancel</Button>
        </Radix.Cancel>
        <Button type="submit" variant={destructive ? "destructive" : "primary"} pending={isPending} disabledReason={disabledReason}>
          {actionLabel}
        </Button>
      </footer>
    </form>
  );
}

function Consequences({ title, items, icon }: { title: string; items: string[]; icon: ReactNode }) {
  if (items.length === 0) return null;
  return (
    <section className="grid gap-1.5">
      <h3 className="text-sm font-medium text-muted-foreground">{title}</h3>
      <ul className="grid gap-1">
        {items.map((item) => (
          <li key={item} className="flex gap-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
            {icon}
            <span className="min-w-0 break-words">{item}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
