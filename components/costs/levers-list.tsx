import { Badge, EstimatedBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatMoney } from "@/lib/domain/cost-format";
import type { Lever } from "@/lib/domain/cost-levers";
import type { WhatIf } from "@/lib/domain/cost-whatif";

export type LeversListProps = { levers: Lever[]; onTry: (changes: Partial<WhatIf>) => void };

/** Which single change saves most: each was solved alone. */
export function LeversList({ levers, onTry }: LeversListProps) {
  if (levers.length === 0) return <p className="text-muted-foreground">No single change makes this month cheaper.</p>;
  return (
    <ol className="grid gap-2" aria-label="Single changes by what they save in the month">
      {levers.map(({ id, title, note, saves, costs, changes }) => (
        <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-b pb-2 last:border-b-0 last:pb-0">
          <span className="min-w-0">
            {title}
            {note && <span className="block text-sm text-muted-foreground">{note}</span>}
          </span>
          <span className="flex items-center gap-3 text-right tabular-nums">
            <span>
              <span className="block font-medium">{formatMoney(saves)}</span>
              <span className="block text-sm text-muted-foreground">to {formatMoney(costs)}</span>
            </span>
            {changes ? (
              <Button size="sm" onClick={() => onTry(changes)} aria-label={`Try: ${title}`}>
                Try
              </Button>
            ) : (
              <Badge>API</Badge>
            )}
          </span>
        </li>
      ))}
      <li className="text-sm text-muted-foreground">
        Each alone, at the what-if&apos;s volume <EstimatedBadge />
      </li>
    </ol>
  );
}
