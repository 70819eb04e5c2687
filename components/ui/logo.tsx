import { cn } from "./cn";

/** A page on a reading stand. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden fill="none" className={cn("size-7 shrink-0", className)}>
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path d="M10 6h12l2.6 11.5H7.4z" className="fill-accent-foreground" />
      <path d="M12.6 9.8h6.8M11.8 13.4h8.4" className="stroke-accent" strokeWidth="1.6" strokeLinecap="round" />
      <path d="M6.5 19.8h19M16 20v6M11.5 26.2h9" className="stroke-accent-foreground" strokeWidth="2.1" strokeLinecap="round" />
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
