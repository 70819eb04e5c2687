"use client";

import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toaster";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { useUrlState, type UrlState } from "@/lib/client/url-state";
import { CostSentence } from "./cost-sentence";
import { FilterBar } from "./filter-bar";
import { HistoryView } from "./history-view";
import { MonthView } from "./month-view";
import { PriceTable } from "./price-table";

const VIEWS = { month: "Month and what-if", prices: "Prices", history: "History and settings" };

/** The environment of the address, or that of the scenario which the address opens. */
function useCostPlace(url: UrlState) {
  const { environment, environments } = useCurrentEnvironment();
  const id = url.get("scenario");
  const opened = useRead("scenarios.get", { id: id ?? "" }, { enabled: id !== undefined });
  const scenario = id === undefined ? null : (opened.data ?? null);
  return { environment: environments.find((one) => one.id === scenario?.scenario.environmentId) ?? environment, scenario, problem: id === undefined ? null : opened.error };
}

export function CostsPage() {
  const url = useUrlState();
  const { environment, scenario, problem } = useCostPlace(url);
  const input = {
    environmentId: environment?.id ?? "",
    ...optional("month", url.get("month")),
    ...optional("deploymentId", url.get("deployment")),
    ...optional("feature", url.get("feature")),
    ...(url.get("apis") ? { offerIds: url.get("apis")?.split(",").slice(0, 4) } : {}),
  };
  const view = useRead("costs.report", input, { enabled: environment !== null, keepPrevious: true, refetchInterval: 60_000 });
  useLive(environment ? `usage:${environment.id}` : null);
  if (!environment)
    return (
      <Page>
        <Empty title="There is no environment whose costs you may see.">Ask an admin of an environment for a role in it.</Empty>
      </Page>
    );
  const failure = problem ?? view.error;
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
  const tab = url.get("view") === "prices" || url.get("view") === "history" ? url.get("view") : "month";
  return (
    <Page>
      <PageHeader
        title={`Costs of ${view.data.environmentName}`}
        sentence={<CostSentence report={view.data.report} />}
        badges={
          <>
            <EnvironmentBadge kind={environment.kind} />
            {view.data.isSandbox && <SandboxBadge />}
            {view.data.isSample && <SampleBadge />}
          </>
        }
      />
      {view.data.isSample && <SampleNotice />}
      {view.data.isSandbox && (
        <Notice title="These nodes are simulated">
          The sandbox cluster runs no GPU and nothing is paid: hours are counted as a real cluster&apos;s would be, at the listed prices.
        </Notice>
      )}
      <Tabs value={tab} onValueChange={(next) => url.set({ view: next === "month" ? undefined : next })}>
        <TabsList aria-label="Costs">
          {Object.entries(VIEWS).map(([value, label]) => (
            <TabsTrigger key={value} value={value}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="month" className="grid gap-6">
          <FilterBar view={view.data} url={url} />
          <MonthView key={`${environment.id} ${scenario?.scenario.id}`} view={view.data} scenario={scenario} />
        </TabsContent>
        <TabsContent value="prices">
          <PriceTable />
        </TabsContent>
        <TabsContent value="history">
          <HistoryView environmentId={environment.id} />
        </TabsContent>
      </Tabs>
    </Page>
  );
}

function optional<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return value ? ({ [name]: value } as { [Key in Name]: string }) : {}; // the computed key is Name
}

function SampleNotice() {
  const remove = useWrite("samples.remove", ["environments", "costs", "deployments"]);
  const may = useCan("portal.manage", null);
  return (
    <Notice
      tone="warning"
      title="This is sample data"
      action={
        may.reason ? (
          <Button disabledReason={may.reason}>Remove the sample data</Button>
        ) : (
          <ConfirmDialog
            trigger={<Button>Remove the sample data</Button>}
            title="Remove the sample data?"
            goes={["The environment Showcase", "90 days of invented usage and node hours"]}
            stays={["Everything that was really measured"]}
            actionLabel="Remove the sample data"
            onConfirm={async () => {
              await remove.mutateAsync({});
              toast.success("The sample data is gone");
            }}
          />
        )
      }
    >
      Ninety days of invented usage, so that a first look is not empty. Nothing of it was measured.
    </Notice>
  );
}
