import { Badge, EstimatedBadge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { CostReport, PriceSource } from "@/lib/domain/cost-report-schema";
import { ageWarning } from "@/lib/domain/price-age";

export type PriceSourcesProps = { report: CostReport };

/** Where every price of the report was read, and when. */
export function PriceSources({ report }: PriceSourcesProps) {
  return (
    <div className="grid gap-2">
      <Table caption="Prices with source and date">
        <TableHead>
          <TableHeader>What</TableHeader>
          <TableHeader>Price</TableHeader>
          <TableHeader>Read on</TableHeader>
          <TableHeader>Source</TableHeader>
        </TableHead>
        <TableBody>
          {report.prices.map((price) => (
            <PriceRow key={`${price.name} ${price.asOf}`} price={price} />
          ))}
        </TableBody>
      </Table>
      <p className="text-sm text-muted-foreground">
        Excluding taxes. Plans count {report.hoursConvention}; history counts logged node hours.
        {report.rates.map((rate) => ` 1 ${rate.base} = ${rate.rate} ${rate.quote} (${rate.date}, ${hostOf(rate.source)}).`)}
      </p>
    </div>
  );
}

function PriceRow({ price }: { price: PriceSource }) {
  const warning = ageWarning(price.age);
  return (
    <TableRow>
      <TableRowHeader wrap>{price.name}</TableRowHeader>
      <TableCell wrap className="tabular-nums">
        {price.price} {price.isEstimate && <EstimatedBadge />}
      </TableCell>
      <TableCell wrap>
        {price.asOf}{" "}
        {warning && (
          <Badge tone="warning" title={warning}>
            {price.age.state === "old" ? `${price.age.days} days old` : "day unknown"}
          </Badge>
        )}
      </TableCell>
      <TableCell>{sourceLink(price)}</TableCell>
    </TableRow>
  );
}

function sourceLink({ source, name }: PriceSource) {
  if (!source.startsWith("https://")) return source;
  return (
    <a
      href={source}
      target="_blank"
      rel="noreferrer noopener"
      className="underline underline-offset-2 hover:text-accent"
      aria-label={`Source of the price of ${name} at ${hostOf(source)}`}
    >
      {hostOf(source)}
    </a>
  );
}

function hostOf(source: string): string {
  return URL.canParse(source) ? new URL(source).hostname : source;
}
