import dynamic from "next/dynamic";
import { memo } from "react";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useUrlState } from "@/lib/client/url-state";
import { formatPages } from "@/lib/domain/cost-format";
import type { ApiCost } from "@/lib/domain/cost-report-schema";
import type { WhatIf } from "@/lib/domain/cost-whatif";
import type { PriceBook } from "@/lib/domain/price-book";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";
import { InvoiceLine } from "./invoice-line";
import { LeversList } from "./levers-list";
import { PriceSources } from "./price-sources";
import { ScenariosPanel } from "./scenarios-panel";
import type { WhatIfState } from "./use-what-if";

const DaysView = dynamic(() => import("./days-view").then((file) => file.DaysView), { ssr: false, loading: () => <Skeleton className="h-80 w-full" /> });

export type MonthBeneathProps = {
  view: Output<"costs.report">;
  settled: WhatIfState["settled"] | null;
  isScenario: boolean;
  book: PriceBook | undefined;
  onTry: ((changes: Partial<WhatIf>) => void) | undefined;
};

/** The numbers behind the chart. It follows the what-if once nobody drags. */
export const MonthBeneath = memo(function MonthBeneath({ view, settled, isScenario, book, onTry }: MonthBeneathProps) {
  const { report, environmentId } = view;
  const apis = settled && (isScenario || settled.isChanged) ? (settled.result?.apis ?? []) : report.apis;
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <OfTheMonth view={view} />
        {settled && onTry && (
          <Panel title="What saves most" className="lg:col-span-2" description={`One change alone, at ${formatPages(settled.input.pages)} a month.`}>
            <LeversList levers={settled.levers} onTry={onTry} />
          </Panel>
        )}
        {apis.map((api) => (
          <IntervalsPanel key={api.id} api={api} />
        ))}
      </div>
      <DayByDay view={view} />
      {settled && onTry && book && environmentId && <Saved environmentId={environmentId} input={settled.input} sentence={view.sentence} book={book} onTry={onTry} />}
      <Sources view={view} />
    </>
  );
});

type OfView = Pick<MonthBeneathProps, "view">;

const OfTheMonth = memo(function OfTheMonth({ view: { report, environmentId } }: OfView) {
  return (
    <Panel title="The same pages on both sides" padded={false} className="lg:col-span-2">
      <CostTable report={report} />
      {environmentId && <InvoiceLine environmentId={environmentId} report={report} />}
    </Panel>
  );
});

const DayByDay = memo(function DayByDay({ view: { report, environmentId } }: OfView) {
  return (
    <Panel title="Day by day" description="Both sides cumulated from the first of the month, at the prices in force in each hour.">
      <DaysView report={report} environmentId={environmentId} />
    </Panel>
  );
});

const Sources = memo(function Sources({ view }: OfView) {
  return (
    <Panel title="Prices" description="Where each price was read, and when." padded={false}>
      <PriceSources report={view.report} />
    </Panel>
  );
});

function IntervalsPanel({ api }: { api: ApiCost }) {
  return (
    <Panel title={`Cheaper side against ${api.name}`}>
      <IntervalsList api={api} />
    </Panel>
  );
}

type SavedProps = { environmentId: string; input: WhatIf; sentence: string; book: PriceBook; onTry: (changes: Partial<WhatIf>) => void };

function Saved({ onTry, ...props }: SavedProps) {
  const url = useUrlState();
  return <ScenariosPanel {...props} onOpen={(inputs) => (url.set({ scenario: undefined }), onTry(inputs))} />;
}
