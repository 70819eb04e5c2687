import type { ReactNode } from "react";
import { cn } from "./cn";
import { CopyButton } from "./copy-button";

export type CodeBlockProps = {
  /** The text as it is copied. */
  code: string;
  /** Names the block for a screen reader and stands above it: "service.yaml". */
  label: string;
  /** One node per line, when the lines are highlighted or marked; else the lines of `code`. */
  lines?: ReactNode[];
  showLineNumbers?: boolean;
  wrap?: boolean;
  actions?: ReactNode;
  /** Limits the height, as `max-h-96`. */
  className?: string;
};

export function CodeBlock({ code, label, lines, showLineNumbers, wrap, actions, className }: CodeBlockProps) {
  const rows = lines ?? code.replace(/\n$/, "").split("\n");
  return (
    <figure data-slot="code-block" className="min-w-0 overflow-hidden rounded-lg border bg-card">
      <figcaption className="flex min-h-9 items-center justify-between gap-2 border-b bg-muted/50 py-0.5 pr-1 pl-3 text-sm text-muted-foreground">
        <span className="truncate font-mono">{label}</span>
        <span className="flex items-center gap-1">
          {actions}
          <CopyButton text={code} label={`Copy ${label}`} />
        </span>
      </figcaption>
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className={cn("overflow-auto py-3 font-mono text-sm leading-5 outline-offset-[-2px]", className)}
      >
        <code className="grid min-w-max">
          {rows.map((row, index) => (
            <span
              key={index}
              className={cn("px-3", wrap && "whitespace-pre-wrap break-all", showLineNumbers && "grid grid-cols-[auto_1fr] gap-4")}
            >
              {showLineNumbers && (
                <span aria-hidden className="w-[3ch] text-right text-muted-foreground tabular-nums select-none">
                  {index + 1}
                </span>
              )}
              <span>{row === "" ? "\n" : row}</span>
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
