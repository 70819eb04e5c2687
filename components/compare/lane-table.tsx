import { formatMoney, formatNumber, formatPercent } from "@/components/ui/format";
import { StatusIcon } from "@/components/ui/status";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { Output } from "@/lib/client/api";
import { LaneLetter } from "./lane-letter";
import { MODE_WORDS, PRESET_WORDS } from "./lane-style";

export type Lane = Output<"compare.get">["lanes"][number];

/** Every lane with what it took, costs and, with an expected text, how right it is. */
export function LaneTable({ lanes, isScored }: { lanes: readonly Lane[]; isScored: boolean }) {
  return (
    <div className="grid gap-2">
      <Table caption="Lanes">
        <TableHead>
          <TableHeader>Lane</TableHeader>
          <TableHeader>Resolution, prompt</TableHeader>
          <TableHeader numeric>Pages</TableHeader>
          <TableHeader numeric unit="s">A page</TableHeader>
          <TableHeader numeric>Tokens</TableHeader>
          <TableHeader numeric>Cost a page</TableHeader>
          <TableHeader numeric>Per 1,000</TableHeader>
          {isScored && <TableHeader numeric>Characters wrong</TableHeader>}
          {isScored && <TableHeader numeric>Words found</TableHeader>}
        </TableHead>
        <TableBody>
          {lanes.map((lane, index) => <LaneRow key={lane.runId} lane={lane} index={index} isScored={isScored} />)}
        </TableBody>
      </Table>
      <p className="px-4 pb-3 text-sm text-muted-foreground">{footnote(lanes)}</p>
    </div>
  );
}

function LaneRow({ lane, index, isScored }: { lane: Lane; index: number; isScored: boolean }) {
  const { price, score } = lane;
  return (
    <TableRow>
      <TableRowHeader wrap>
        <span className="flex items-center gap-2.5">
          <LaneLetter index={index} />
          <span className="grid">
            {lane.engine}
            <span className="text-sm font-normal text-muted-foreground">{lane.modelName}</span>
          </span>
        </span>
      </TableRowHeader>
      <TableCell>{PRESET_WORDS[lane.preset]}, {MODE_WORDS[lane.mode].toLowerCase()}</TableCell>
      <TableCell numeric>
        <span className="inline-flex items-center gap-1.5">
          {lane.state !== "done" && <StatusIcon state={lane.state === "cancelled" ? "unknown" : "working"} />}
          {lane.pagesEnded} of {lane.pagesTotal}
        </span>
      </TableCell>
      <TableCell numeric>{formatNumber(lane.secondsPerPage, { digits: 2, minDigits: 1 })}</TableCell>
      <TableCell numeric>{formatNumber(lane.tokens)}</TableCell>
      <TableCell numeric title={lane.unpriced ?? undefined}>{price ? formatMoney(price.perPage, price.currency, 5) : "no price"}</TableCell>
      <TableCell numeric>{price ? formatMoney(price.perThousand, price.currency) : "–"}</TableCell>
      {isScored && <TableCell numeric>{formatPercent(score?.characterErrorRate, 2)}</TableCell>}
      {isScored && <TableCell numeric>{formatPercent(score?.wordRecall, 1)}</TableCell>}
    </TableRow>
  );
}

function footnote(lanes: readonly Lane[]): string {
  const priced = lanes.find(({ price }) => price)?.price;
  const unpriced = lanes.find((lane) => lane.unpriced)?.unpriced;
  const rate = priced ? `Costs: the node's price (${priced.source}, ${priced.asOf}) for the engine's seconds, one page at a time; an engine that reads several at once costs less a page. ` : "";
  return `${rate}${unpriced ? `Without a price: ${unpriced}` : ""}`;
}
