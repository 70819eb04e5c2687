import type { ComponentProps } from "react";
import { cn } from "./cn";

/** The turning ring of everything under way; without motion it is an open ring. */
export function WorkingRing({ className, ...props }: ComponentProps<"svg">) {
  return (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden className={cn("size-4 animate-spin [animation-duration:1.4s]", className)} {...props}>
      <circle cx="8" cy="8" r="5.5" stroke="currentColor" strokeWidth="2" strokeOpacity="0.25" />
      <path d="M8 2.5a5.5 5.5 0 0 1 5.5 5.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
