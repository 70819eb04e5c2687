"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { cn } from "./cn";
import { Tooltip } from "./tooltip";
import { WorkingRing } from "./working-ring";

export const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent text-accent-foreground not-aria-disabled:hover:bg-accent/88",
        secondary: "border-input/60 bg-card text-foreground not-aria-disabled:hover:bg-muted",
        ghost: "border-transparent text-foreground not-aria-disabled:hover:bg-muted",
        destructive: "border-transparent bg-destructive text-destructive-foreground not-aria-disabled:hover:bg-destructive/88",
        link: "h-auto! border-transparent px-0! text-accent underline-offset-4 not-aria-disabled:hover:underline",
      },
      size: {
        sm: "h-7 px-2.5 text-sm pointer-coarse:h-10",
        md: "h-8 px-3 text-base pointer-coarse:h-11",
        lg: "h-10 px-4 text-base pointer-coarse:h-12",
        icon: "size-8 pointer-coarse:size-11",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Render the only child (a link, say) with the look of a button. */
    asChild?: boolean;
    /** Why the deed is not possible now. The button stays focusable, does nothing, and says this on hover, focus and to a screen reader. */
    disabledReason?: string | null;
    /** The deed is under way: a ring turns, further clicks do nothing. */
    pending?: boolean;
  };

export function Button({ className, variant, size, asChild, disabledReason, pending, onClick, children, ...props }: ButtonProps) {
  const reasonId = useId();
  const isInert = Boolean(disabledReason) || Boolean(pending);
  const Root = asChild ? Slot.Root : "button";

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (!isInert) return onClick?.(event);
    event.preventDefault();
    event.stopPropagation();
  }

  const button = (
    <Root
      type={asChild ? undefined : "button"}
      data-slot="button"
      {...props}
      aria-disabled={isInert || undefined}
      aria-busy={pending || undefined}
      aria-describedby={disabledReason ? reasonId : props["aria-describedby"]}
      className={cn(buttonVariants({ variant, size }), className)}
      onClick={handleClick}
    >
      {pending && !asChild ? <PendingLabel>{children}</PendingLabel> : children}
    </Root>
  );
  if (!disabledReason) return button;
  return (
    <>
      <Tooltip content={disabledReason}>{button}</Tooltip>
      <span id={reasonId} className="sr-only">
        {disabledReason}
      </span>
    </>
  );
}

function PendingLabel({ children }: { children: ReactNode }) {
  return (
    <>
      <WorkingRing />
      {children}
    </>
  );
}
