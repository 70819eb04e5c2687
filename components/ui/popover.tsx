"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

export const floatClass =
  "z-50 rounded-lg border bg-popover text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0";

export type PopoverProps = {
  trigger: ReactNode;
  /** Accessible name of what opens. */
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
};

export function Popover({ trigger, label, align = "start", className, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cn(floatClass, "w-72 p-4", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
