import { cn } from "./cn";

/** A page on a reading stand. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden fill="none" className={cn("size-7 shrink-0", className)}>
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path d="M6.5 14.5 22 6.5l4 5.6-15.5 8z" className="fill-accent-foreground" />
      <path d="m11.2 14.8 9.3-4.8M12.7 17l9.3-4.8" className="stroke-accent" strokeWidth="1.3" strokeLinecap="round" />
      <path d="M17.3 18.2V25M11.5 26h11.6" className="stroke-accent-foreground" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2.5 text-lg font-semibold tracking-tight", className)}>
      <LogoMark />
      Lectern
    </span>
  );
}
