"use client";

import { Tooltip as Radix } from "radix-ui";
import { createContext, type ReactNode, useContext } from "react";

const delayMs = 250;
const SharedContext = createContext(false);

/** Once around the page: moving from one tooltip to the next then needs no second wait. A tooltip outside it stands alone. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <SharedContext value={true}>
      <Radix.Provider delayDuration={delayMs}>{children}</Radix.Provider>
    </SharedContext>
  );
}

export type TooltipProps = {
  /** What the child is or why it is so: one short sentence, never the only place of a fact. */
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
};

/** The child must be focusable and take a ref. */
export function Tooltip({ content, side = "top", children }: TooltipProps) {
  const isShared = useContext(SharedContext);
  const tooltip = (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-72 rounded-md bg-foreground px-2.5 py-1.5 text-sm text-background shadow-float animate-in fade-in-0"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
  return isShared ? tooltip : <Radix.Provider delayDuration={delayMs}>{tooltip}</Radix.Provider>;
}
