"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { formatCount, formatMoney } from "@/components/ui/format";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Empty, ErrorState, LoadingPanels } from "@/components/ui/states";
import { useActor, useRead } from "@/lib/client/hooks";
import { can } from "@/lib/domain/policy";
import { RECENT_DEPLOYMENTS } from "@/lib/domain/recent-deployments";
import type { Output } from "@/lib/client/api";
import { AttentionList } from "./attention-list";
import { EnvironmentCard } from "./environment-card";

type Counts = Output<"deployments.list">["counts"];
type Now = Output<"costs.now">["environments"];

function countOf(counts: Counts): number {
  return counts.reduce((sum, each) => sum + each.count, 0);
}

/** "2 ready, 1 stopped; 2.41 USD an hour now." */
function summary(counts: Counts, now: Now): string {
  if (counts.length === 0) return "Nothing is deployed yet.";
  const states = ["ready", "working", "failed", "timed_out", "stopped"] as const;
  const counted = states.map((state) => [countOf(counts.filter((each) => each.state === state)), state.replace("_", " ")] as const).filter(([count]) => count > 0);
  const money = new Map<string, number>();
  for (const price of now.flatMap((each) => each.perHour)) money.set(price.currency, (money.get(price.currency) ?? 0) + price.amount);
  const costs = [...money].map(([currency, amount]) => formatMoney(amount, currency, 2));
  const unpriced = now.reduce((sum, each) => sum + each.unpriced, 0);
  const parts = [counted.map(([count, state]) => `${count} ${state}`).join(", ")];
  if (costs.length > 0) parts.push(`${costs.join(" + ")} an hour now`);
  if (unpriced > 0) parts.push(`${formatCount(unpriced, "node")} without a price`);
  return `${parts.join("; ")}.`;
}

export function OverviewPage() {
  const environments = useRead("environments.list", {});
  const deployments = useRead("deployments.list", RECENT_DEPLOYMENTS);
  const now = useRead("costs.now", {});
  const schedules = useRead("schedules.list", {}, { refetchInterval: 30_000 });
  const actor = useActor();
  if (environments.error) return <Page><ErrorState problem={environments.error} onRetry={() => void environments.refetch()} /></Page>;
  if (!environments.data || !deployments.data) return <Page><LoadingPanels count={3} /></Page>;
  const all = environments.data.environments;
  const mayDeploy = actor ? all.some((each) => can(actor, "deployment.apply", each.id)) : false;
  const { deployments: rows, counts } = deployments.data;
  return (
    <Page>
      <PageHeader
        title="Overview"
        sentence={summary(counts, now.data?.environments ?? [])}
        action={<DeployLink isRefused={!mayDeploy} />}
      />
      {all.length === 0 ? (
        <Empty title="You have no access to any environment yet.">Ask an admin of an environment for a role in it, or the owner of the portal.</Empty>
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="grid gap-4">
            {all.map((environment) => (
              <EnvironmentCard
                key={environment.id}
                environment={environment}
                deployments={rows.filter((each) => each.environmentId === environment.id)}
                total={countOf(counts.filter((each) => each.environmentId === environment.id))}
                schedules={schedules.data?.deployments ?? []}
                now={now.data?.environments.find((each) => each.environmentId === environment.id)}
              />
            ))}
          </div>
          <AttentionList />
        </div>
      )}
    </Page>
  );
}

function DeployLink({ isRefused }: { isRefused: boolean }) {
  if (isRefused) return <Button variant="primary" disabledReason="Deploying needs the role deployer in an environment. Ask one of its admins.">Deploy a model</Button>;
  return <Button asChild variant="primary"><Link href="/deploy">Deploy a model</Link></Button>;
}
