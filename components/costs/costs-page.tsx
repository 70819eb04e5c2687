"use client";

import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import type { ApiError, Output } from "@/lib/client/api";
import { useCurrentEnvironment, type EnvironmentChoice } from "@/lib/client/environment";
import { useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { useUrlState, type UrlState } from "@/lib/client/url-state";
import { BudgetLines, BudgetPanel } from "./budget-panel";
import { CostSentence } from "./cost-sentence";
import { FilterBar } from "./filter-bar";
import { HistoryView } from "./history-view";
import { MonthBefore } from "./month-before";
import { MonthView } from "./month-view";
import { PresentButton } from "./present-view";
import { PriceTable } from "./price-table";
import { SampleNotice } from "./sample-notice";

const VIEWS = { month: "Month and what-if", budgets: "Budgets", prices: "Prices", history: "History and settings" };

/** The environment of the address, or that of the scenario which the address opens. */
function useCostPlace(url: UrlState) {
  const { environment, environments } = useCurrentEnvironment();
  const id = url.get("scenario");
  const opened = useRead("scenarios.get", { id: id ?? "" }, { enabled: id !== undefined });
  const scenario = id === undefined ? null : (opened.data ?? null);
  return { environment: environments.find((one) => one.id === scenario?.scenario.environmentId) ?? environment, scenario, problem: id === undefined ? null : opened.error };
}

function choiceOf(url: UrlState) {
  return {
    ...optional("month", url.get("month")),
    ...optional("feature", url.get("feature")),
    ...optional("modelId", url.get("model")),
    ...optional("skuId", url.get("sku")),
    ...(url.get("apis") ? { offerIds: url.get("apis")?.split(",").slice(0, 4) } : {}),
  };
}

/** What the address asks for: one environment's month, or that of all of them. */
function useMonth(url: UrlState, environment: EnvironmentChoice | null) {
  const choice = choiceOf(url);
  const isAll = url.get("all") === "1" && url.get("scenario") === undefined;
  const options = { keepPrevious: true, refetchInterval: 60_000 };
  const one = useRead("costs.report", { environmentId: environment?.id ?? "", ...choice, ...optional("deploymentId", url.get("deployment")) }, { enabled: environment !== null && !isAll, ...options });
  const all = useRead("costs.total", choice, { enabled: isAll, ...options });
  useLive(environment && !isAll ? `usage:${environment.id}` : null);
  return isAll ? all : one;
}

export function CostsPage() {
  const url = useUrlState();
  const { environment, scenario, problem } = useCostPlace(url);
  const view = useMonth(url, environment);
  if (!environment)
    return (
      <Page>
        <Empty title="There is no environment whose costs you may see.">Ask an admin of an environment for a role in it.</Empty>
      </Page>
    );
  // A passing fault of the network leaves on the screen what is on it, a presentation too; the bar above says that it is stale.
  const failure = problem ?? (view.data && isPassing(view.error) ? null : view.error);
  if (failure)
    return (
      <Page>
        <ErrorState problem={failure} onRetry={() => void view.refetch()} />
      </Page>
    );
  if (!view.data)
    return (
      <Page>
        <LoadingPanels count={3} />
      </Page>
    );
  return <CostsOf view={view.data} environment={view.data.environmentId ? environment : null} scenario={scenario} url={url} />;
}

function isPassing(error: ApiError | null): boolean {
  return error !== null && (error.status < 400 || error.status >= 500);
}

type CostsOfProps = { view: Output<"costs.report">; environment: EnvironmentChoice | null; scenario: Output<"scenarios.get"> | null; url: UrlState };

function CostsOf({ view, environment, scenario, url }: CostsOfProps) {
  const chosen = url.get("view") ?? "month";
  const views = Object.entries(VIEWS).filter(([value]) => environment !== null || value === "month" || value === "prices");
  return (
    <Page>
      <PageHeader
        title={`Costs of ${view.environmentName}`}
        sentence={<CostSentence report={view.report} className="text-lg text-foreground" />}
        badges={
          <>
            {environment && <EnvironmentBadge kind={environment.kind} />}
            {view.isSandbox && <SandboxBadge />}
            {view.isSample && <SampleBadge />}
          </>
        }
        action={<PresentButton view={view} scenario={scenario} />}
      />
      {view.isSample && <SampleNotice />}
      {view.isSandbox && (
        <Notice title="These nodes are simulated">
          The sandbox cluster runs no GPU and nothing is paid: hours are counted as a real cluster&apos;s would be, at the listed prices.
        </Notice>
      )}
      {environment && <BudgetLines environmentId={environment.id} />}
      <Tabs value={views.some(([value]) => value === chosen) ? chosen : "month"} onValueChange={(next) => url.set({ view: next === "month" ? undefined : next })}>
        <TabsList aria-label="Costs">
          {views.map(([value, label]) => (
            <TabsTrigger key={value} value={value}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="month" className="grid gap-6">
          <MonthBefore report={view.report} url={url} />
          <FilterBar view={view} url={url} />
          <MonthView key={`${view.environmentId} ${scenario?.scenario.id}`} view={view} choice={{ ...choiceOf(url), ...optional("deploymentId", url.get("deployment")) }} scenario={scenario} />
        </TabsContent>
        <TabsContent value="prices">
          <PriceTable />
        </TabsContent>
        {environment && (
          <>
            <TabsContent value="budgets" className="grid gap-6">
              <BudgetPanel environmentId={environment.id} currency={view.report.currency} />
            </TabsContent>
            <TabsContent value="history">
              <HistoryView environmentId={environment.id} />
            </TabsContent>
          </>
        )}
      </Tabs>
    </Page>
  );
}

function optional<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return value ? ({ [name]: value } as { [Key in Name]: string }) : {}; // the computed key is Name
}
