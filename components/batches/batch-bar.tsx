import { formatNumber } from "@/components/ui/format";
import type { BatchRow } from "./batch-card";

type Pages = BatchRow["pages"];
const PARTS = [
  { key: "done", word: "read", className: "bg-accent" },
  { key: "truncated", word: "cut short", className: "bg-working" },
  { key: "failed", word: "failed", className: "bg-failed" },
  { key: "cancelled", word: "cancelled", className: "bg-unknown" },
  { key: "running", word: "under way", className: "bg-accent/35" },
] as const satisfies { key: keyof Pages; word: string; className: string }[];

/** Pages by how they stand, as parts of one bar, and the same in words. */
export function BatchBar({ name, pages }: { name: string; pages: Pages }) {
  const shown = PARTS.filter(({ key }) => pages[key] > 0);
  const ended = pages.done + pages.truncated + pages.failed + pages.cancelled;
  return (
    <div className="grid gap-1.5">
      <div role="progressbar" aria-label={`Pages of ${name}`} aria-valuemin={0} aria-valuemax={pages.total} aria-valuenow={ended} aria-valuetext={`${ended} of ${pages.total} pages`} className="flex h-2.5 overflow-hidden rounded-full bg-muted">
        {shown.map(({ key, className }) => <div key={key} className={`${className} h-full transition-[width]`} style={{ width: `${(100 * pages[key]) / Math.max(1, pages.total)}%` }} />)}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground">
        {shown.map(({ key, word, className }) => (
          <li key={key} className="flex items-center gap-1.5 tabular-nums">
            <span aria-hidden className={`size-2 rounded-full ${className}`} />
            {formatNumber(pages[key])} {word}
          </li>
        ))}
      </ul>
    </div>
  );
}
