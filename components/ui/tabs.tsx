"use client";

import { Tabs as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Keep the value in the URL where a tab can be linked to. */
export function Tabs({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="tabs" className={cn("grid min-w-0 gap-4", className)} {...props} />;
}

export function TabsList({ className, ...props }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn("flex gap-5 overflow-x-auto border-b px-1", className)} {...props} />;
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        "-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent font-medium text-muted-foreground outline-offset-[-2px] transition-colors hover:text-foreground data-[state=active]:border-accent data-[state=active]:text-foreground pointer-coarse:h-11 [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={cn("min-w-0 rounded-md", className)} {...props} />;
}
