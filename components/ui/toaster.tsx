"use client";

import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

export { toast } from "sonner";

export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      offset={{ bottom: 20, right: 20 }}
      mobileOffset={{ bottom: 72 }}
      closeButton
      toastOptions={{
        classNames: {
          toast: "rounded-lg! border! border-border! bg-popover! text-popover-foreground! shadow-float! font-sans! text-base!",
          description: "text-muted-foreground!",
          success: "[&_[data-icon]]:text-ready!",
          error: "[&_[data-icon]]:text-failed!",
          warning: "[&_[data-icon]]:text-working!",
          closeButton: "bg-popover! border-border! text-foreground!",
          actionButton: "bg-accent! text-accent-foreground!",
        },
      }}
    />
  );
}
