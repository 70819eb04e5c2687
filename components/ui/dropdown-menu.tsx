"use client";

import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";
import { floatClass } from "./popover";

const item =
  "flex min-h-8 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 outline-none data-disabled:text-muted-foreground data-highlighted:bg-muted pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export type MenuProps = {
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom";
  className?: string;
  children: ReactNode;
};

export function Menu({ trigger, align = "start", side = "bottom", className, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cn(floatClass, "max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto p-1", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export type MenuItemProps = ComponentProps<typeof Radix.Item> & {
  destructive?: boolean;
  /** Why it cannot be done now; shown under the word, and the item does nothing. */
  disabledReason?: string | null;
};

export function MenuItem({ destructive, disabledReason, className, children, asChild, ...props }: MenuItemProps) {
  const look = cn(item, destructive && !disabledReason && "text-failed", className);
  if (asChild)
    return (
      <Radix.Item asChild className={look} {...props}>
        {children}
      </Radix.Item>
    );
  return (
    <Radix.Item className={look} {...props} disabled={Boolean(disabledReason) || props.disabled}>
      {disabledReason ? (
        <span className="grid max-w-64 gap-0.5">
          <span className="flex items-center gap-2">{children}</span>
          <span className="text-sm">{disabledReason}</span>
        </span>
      ) : (
        children
      )}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-sm text-muted-foreground">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-border" />;
}

export type MenuChoice = { value: string; label: ReactNode };

export function MenuChoices({
  label,
  value,
  onChange,
  choices,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: MenuChoice[];
}) {
  return (
    <Radix.RadioGroup aria-label={label} value={value} onValueChange={onChange}>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} className={cn(item, "pr-8 relative")}>
          {choice.label}
          <Radix.ItemIndicator className="absolute right-2">
            <Check aria-hidden className="text-accent" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
