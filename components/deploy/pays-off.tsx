import Link from "next/link";
import { EstimatedBadge } from "@/components/ui/badge";
import { formatNumber } from "@/components/ui/format";
import { paysOff } from "@/lib/domain/fit-pays";
import type { PriceBook } from "@/lib/domain/price-book";

type PaysOffProps = { skuId: string; modelId: string; replicas: number; book: PriceBook };

/** The break-even of the chosen node against the managed APIs, in one line each; the cost page tells the rest. */
export function PaysOffLines({ book, ...choice }: PaysOffProps) {
  const lines = paysOff(choice, book);
  if (lines.length === 0) return null;
  const isEstimated = lines.some((line) => line.isRateEstimated);
  return (
    <section className="grid gap-1.5" aria-label="When it pays off">
      <h3 className="flex flex-wrap items-center gap-2 text-sm font-medium">
        Pays off, always on {isEstimated && <EstimatedBadge />}
      </h3>
      <ul className="grid gap-0.5 text-sm">
        {lines.map(({ offer, fromPages }) => (
          <li key={offer} className="flex flex-wrap justify-between gap-x-4">
            <span className="text-muted-foreground">{offer}</span>
            <span className="tabular-nums">{fromPages === null ? "never, at this rate" : `from ${formatNumber(fromPages)} pages a month`}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted-foreground">
        {isEstimated ? "The pages per second of this GPU are an estimate. " : ""}
        <Link href="/costs" className="underline underline-offset-2">What you really paid</Link> stands with the costs.
      </p>
    </section>
  );
}
