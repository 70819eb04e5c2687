import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

export type TableProps = ComponentProps<"table"> & {
  /** Names the table for a screen reader; `showCaption` also prints it. */
  caption: string;
  showCaption?: boolean;
};

/** Dense rows that scroll sideways in their own frame, never the page; `relative`, so that words for screen readers in a far cell stay in the frame too. */
export function Table({ caption, showCaption, className, children, ...props }: TableProps) {
  return (
    <div role="group" aria-label={caption} tabIndex={0} className="relative min-w-0 overflow-x-auto rounded-md">
      <table data-slot="table" className={cn("w-full border-collapse text-left", className)} {...props}>
        <caption className={showCaption ? "pb-2 text-left text-muted-foreground" : "sr-only"}>{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="border-b">
      <tr>{children}</tr>
    </thead>
  );
}

export function TableBody(props: ComponentProps<"tbody">) {
  return <tbody className="divide-y divide-border" {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr className={cn("h-9 transition-colors hover:bg-muted/60 aria-selected:bg-accent/8 pointer-coarse:h-11", className)} {...props} />
  );
}

export type Sort = "ascending" | "descending" | "none";
export type TableHeaderProps = Omit<ComponentProps<"th">, "scope"> & {
  numeric?: boolean;
  /** Shown after the name: the cells then hold bare numbers. */
  unit?: string;
  sort?: Sort;
  onSort?: () => void;
};

export function TableHeader({ numeric, unit, sort, onSort, className, children, ...props }: TableHeaderProps) {
  const name = (
    <>
      {children}
      {unit && <span className="font-normal"> {unit}</span>}
    </>
  );
  return (
    <th
      scope="col"
      aria-sort={onSort ? (sort ?? "none") : undefined}
      className={cn(
        "h-9 px-3 text-sm font-medium whitespace-nowrap text-muted-foreground first:pl-4 last:pr-4",
        numeric && "text-right",
        className,
      )}
      {...props}
    >
      {onSort ? (
        <SortButton sort={sort ?? "none"} onSort={onSort}>
          {name}
        </SortButton>
      ) : (
        name
      )}
    </th>
  );
}

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

function SortButton({ sort, onSort, children }: { sort: Sort; onSort: () => void; children: ReactNode }) {
  const Icon = sortIcons[sort];
  return (
    <button
      type="button"
      onClick={onSort}
      className={cn("inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-foreground", sort !== "none" && "text-foreground")}
    >
      {children}
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}

export type TableCellProps = ComponentProps<"td"> & {
  numeric?: boolean;
  mono?: boolean;
  /** For sentences: breaks into lines also where the table scrolls sideways. */
  wrap?: boolean;
};

const cell = "px-3 py-1.5 first:pl-4 last:pr-4";

function wrapping(wrap: boolean | undefined) {
  return wrap ? "min-w-56" : "max-lg:whitespace-nowrap";
}

export function TableCell({ numeric, mono, wrap, className, ...props }: TableCellProps) {
  const numbers = numeric && "text-right whitespace-nowrap tabular-nums";
  return <td className={cn(cell, wrapping(wrap), numbers, mono && "font-mono text-sm", className)} {...props} />;
}

/** The cell that names its row. */
export function TableRowHeader({ wrap, className, ...props }: Omit<ComponentProps<"th">, "scope"> & { wrap?: boolean }) {
  return <th scope="row" className={cn(cell, wrapping(wrap), "text-left font-medium", className)} {...props} />;
}
