import { Notice } from "@/components/ui/notice";
import { formatCount, formatPages } from "@/lib/domain/cost-format";
import type { ApiCost } from "@/lib/domain/cost-report-schema";
import { beyondWords } from "@/lib/domain/cost-words";

export type IntervalsListProps = { api: ApiCost };

/** Which side is cheaper from where to where: a list, as one number would hide the steps. */
export function IntervalsList({ api }: IntervalsListProps) {
  if (api.unpriced) return <Notice tone="warning" title={`${api.fullName} is unpriced: ${api.unpriced}.`} />;
  const found = api.breakEven;
  if (!found) return <p className="text-muted-foreground">There is no break-even without a priced node and one currency.</p>;
  const steps = new Set(found.crossings.filter((crossing) => crossing.atStep).map((crossing) => crossing.firstPage));
  return (
    <div className="grid gap-2">
      <ol className="grid gap-1" aria-label={`Cheaper side by pages a month, against ${api.name}`}>
        {found.intervals.map(({ from, to, cheaper }) => (
          <li key={from} className="flex flex-wrap items-baseline gap-x-3">
            <span aria-hidden className={marks[cheaper]} />
            <span className="min-w-56 tabular-nums">
              {to === null ? `${formatPages(from)} and more` : `${formatCount(from)} to ${formatPages(to)}`}
            </span>
            <span className="font-medium">{sideWords(cheaper, api.name)}</span>
            {steps.has(from) && <span className="text-sm text-muted-foreground">begins with a step</span>}
          </li>
        ))}
      </ol>
      <p className="text-muted-foreground">{beyondWords(found, api.name)}</p>
    </div>
  );
}

const mark = "size-2.5 shrink-0 rounded-sm border";
const marks = {
  self: `${mark} border-data-self bg-data-self`,
  api: `${mark} border-data-api-1`,
  tie: `${mark} border-dashed border-input`,
};

function sideWords(cheaper: "self" | "api" | "tie", name: string): string {
  if (cheaper === "tie") return "both cost the same";
  return cheaper === "self" ? "your GPUs are cheaper" : `${name} is cheaper`;
}
