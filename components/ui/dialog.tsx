"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";

export const overlayClass = "fixed inset-0 z-50 bg-black/45 data-[state=open]:animate-in data-[state=open]:fade-in-0";
export const dialogClass =
  "fixed z-50 grid max-h-[calc(100dvh-2rem)] w-full gap-4 overflow-y-auto border bg-popover p-6 text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0 inset-x-0 bottom-0 rounded-t-lg sm:inset-x-auto sm:bottom-auto sm:top-1/2 sm:left-1/2 sm:-translate-1/2 sm:rounded-lg";

const widths = { sm: "sm:max-w-sm", md: "sm:max-w-lg", lg: "sm:max-w-3xl", xl: "sm:max-w-5xl" };

export type DialogProps = {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The element that opens it; focus returns there. */
  trigger?: ReactNode;
  title: string;
  description?: ReactNode;
  size?: keyof typeof widths;
  /** Buttons, the deed last. */
  footer?: ReactNode;
  children?: ReactNode;
};

export function Dialog({ open, onOpenChange, trigger, title, description, size = "md", footer, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          data-slot="dialog"
          className={cn(dialogClass, widths[size])}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <header className="grid gap-1.5 pr-8">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="text-muted-foreground">{description}</Radix.Description>}
          </header>
          {children}
          {footer && <footer className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{footer}</footer>}
          <Radix.Close asChild>
            <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-4 right-4">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Wraps the button that closes the dialog without a deed. */
export const DialogClose = Radix.Close;
