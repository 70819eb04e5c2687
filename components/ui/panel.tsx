import { type ReactNode, useId } from "react";
import { cn } from "./cn";

export type PanelProps = {
  title?: ReactNode;
  description?: ReactNode;
  /** Buttons and switches at the right end of the title line. */
  actions?: ReactNode;
  /** Accessible name when there is no title. */
  label?: string;
  /** False when the content (a table, a chart) reaches the border. */
  padded?: boolean;
  className?: string;
  children: ReactNode;
};

/** The one container: a border on paper, named by its title. */
export function Panel({ title, description, actions, label, padded = true, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      data-slot="panel"
      aria-labelledby={title ? id : undefined}
      aria-label={title ? undefined : label}
      className={cn("flex min-w-0 flex-col rounded-lg border bg-card text-card-foreground", className)}
    >
      {(title || actions) && (
        <header className={cn("flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3", padded ? "pb-0" : "border-b pb-3")}>
          <div className="grid min-w-0 gap-0.5">
            {title && (
              <h2 id={id} className="text-base font-semibold break-words">
                {title}
              </h2>
            )}
            {description && <p className="text-sm text-muted-foreground">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={cn("min-w-0 flex-1", padded && "p-4")}>{children}</div>
    </section>
  );
}
