"use client";

import dynamic from "next/dynamic";
import { useRouter, useSearchParams } from "next/navigation";
import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Field, Input } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Empty, ErrorState, LoadingPanels, Skeleton } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";
import { CostFigures } from "./cost-figures";
import { CostSentence } from "./cost-sentence";
import { CostTable } from "./cost-table";
import { IntervalsList } from "./intervals-list";
import { PriceSources } from "./price-sources";

// The chart library is fetched beside the numbers, not before them.
const BreakEvenChart = dynamic(() => import("./break-even-chart").then((file) => file.BreakEvenChart), {
  ssr: false,
  loading: () => <Skeleton className="h-80 w-full" />,
});

type CostView = Output<"costs.report">;

export function CostsPage() {
  const { environment } = useCurrentEnvironment();
  const month = useSearchParams().get("month");
  const input = { environmentId: environment?.id ?? "", ...(month ? { month } : {}) };
  const view = useRead("costs.report", input, { enabled: environment !== null, keepPrevious: true, refetchInterval: 60_000 });
  useLive(environment ? `usage:${environment.id}` : null);
  if (!environment)
    return (
      <Page>
        <Empty title="There is no environment whose costs you may see.">Ask an admin of an environment for a role in it.</Empty>
      </Page>
    );
  if (view.error)
    return (
      <Page>
        <ErrorState problem={view.error} onRetry={() => void view.refetch()} />
      </Page>
    );
  if (!view.data)
    return (
      <Page>
        <LoadingPanels count={3} />
      </Page>
    );
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
        action={<MonthField month={view.data.report.month.key} />}
      />
      {view.data.isSample && <SampleNotice />}
      {view.data.isSandbox && (
        <Notice title="These nodes are simulated">
          The sandbox cluster runs no GPU and nothing is paid: hours are counted as a real cluster&apos;s would be, at the listed prices.
        </Notice>
      )}
      <CostPanels view={view.data} />
    </Page>
  );
}

function MonthField({ month }: { month: string }) {
  const router = useRouter();
  const params = useSearchParams();
  const choose = (next: string) => {
    if (!/^\d{4}-\d{2}$/.test(next)) return;
    const query = new URLSearchParams(params);
    query.set("month", next);
    router.replace(`/costs?${query.toString()}`, { scroll: false });
  };
  return (
    <Field label="Month" className="w-44">
      <Input type="month" value={month} onChange={(event) => choose(event.target.value)} />
    </Field>
  );
}

function CostPanels({ view: { report, pagesElsewhere } }: { view: CostView }) {
  const [first] = report.apis;
  return (
    <>
      <Panel label="Figures">
        <CostFigures report={report} />
      </Panel>
      {pagesElsewhere > 0 && (
        <Notice title={`${formatCount(pagesElsewhere, "page")} more were read by the embedded CPU engine`}>
          They used no GPU node and are not compared.
        </Notice>
      )}
      <Panel title="Break-even" description="Cost of a month by pages read: your GPU nodes as a staircase, each API with its tiers.">
        {report.chart ? (
          <BreakEvenChart chart={report.chart} />
        ) : (
          <p className="text-muted-foreground">
            The chart needs a node with a price. Deploy a model on one, or choose a month with node hours.
          </p>
        )}
      </Panel>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel title="The same pages on both sides" padded={false}>
          <CostTable report={report} />
        </Panel>
        <div className="grid gap-6">
          {first && (
            <Panel title={`Cheaper side against ${first.name}`}>
              <IntervalsList api={first} />
            </Panel>
          )}
        </div>
      </div>
      <Panel title="Prices" description="Where each price was read, and when." padded={false}>
        <PriceSources report={report} />
      </Panel>
    </>
  );
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
