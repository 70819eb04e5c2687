import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({ extend: { theme: { shadow: ["float"] } } });

/** Joins class names; of two Tailwind classes for the same property the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
