"use client";

import Link from "next/link";
import { EnvironmentBadge, SampleBadge, SandboxBadge } from "@/components/ui/badge";
import { formatMoney } from "@/components/ui/format";
import { NextChange } from "@/components/ui/next-change";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { deploymentStatusLook } from "@/components/ui/deployment-status";
import type { Output } from "@/lib/client/api";

type EnvironmentCardProps = {
  environment: Output<"environments.list">["environments"][number];
  /** The newest; of them a few are shown. */
  deployments: Output<"deployments.list">["deployments"];
  total: number;
  schedules: Output<"schedules.list">["deployments"];
  now: Output<"costs.now">["environments"][number] | undefined;
};

const SHOWN = 8;

function costNow(now: EnvironmentCardProps["now"]): string {
  if (!now || now.nodes === 0) return "nothing is paid now";
  const priced = now.perHour.map((price) => `${formatMoney(price.amount, price.currency, 2)}/h`);
  return [...priced, ...(now.unpriced > 0 ? [`${now.unpriced} without a price`] : [])].join(" + ");
}

/** One environment: what runs there and what it costs now. */
export function EnvironmentCard({ environment, deployments, total, schedules, now }: EnvironmentCardProps) {
  return (
    <Panel
      label={environment.name}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <Link href={`/environments/${environment.slug}`} className="underline-offset-4 hover:underline">
            {environment.name}
          </Link>
          <EnvironmentBadge kind={environment.kind} />
          {environment.cluster?.kind === "sandbox" && <SandboxBadge />}
          {environment.isSample && <SampleBadge />}
        </span>
      }
      actions={<span className="text-sm text-muted-foreground tabular-nums">{costNow(now)}</span>}
      padded={false}
    >
      {total === 0 ? (
        <p className="px-4 py-3 text-muted-foreground">
          {environment.isSample ? (
            <>
              Invented usage for a first look at <Link className="underline underline-offset-2" href={`/costs?env=${environment.slug}`}>the costs</Link>.
            </>
          ) : (
            "Nothing is deployed here."
          )}
        </p>
      ) : (
        <ul className="divide-y divide-border">
          {deployments.slice(0, SHOWN).map((each) => (
            <li key={each.id}>
              <Link href={`/deployments/${each.id}`} className="grid min-h-11 items-center gap-x-4 gap-y-1 px-4 py-2 transition-colors hover:bg-muted/60 sm:grid-cols-[minmax(0,1fr)_auto]">
                <span className="min-w-0">
                  <span className="font-medium break-words">{each.name}</span>
                  <span className="text-muted-foreground">
                    {" "}
                    · {each.modelName} · {each.gpuName} on {each.skuName}
                  </span>
                  <CardChange row={schedules.find((row) => row.deploymentId === each.id)} />
                </span>
                <Status state={deploymentStatusLook(each.state)} since={each.stateSince}>
                  {each.state.replace("_", " ")}
                </Status>
              </Link>
            </li>
          ))}
          {total > Math.min(SHOWN, deployments.length) && (
            <li>
              <Link href={`/deployments?env=${environment.slug}`} className="flex min-h-11 items-center px-4 py-2 underline-offset-4 hover:underline">
                All {total.toLocaleString("en")} deployments of {environment.name}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function CardChange({ row }: { row: EnvironmentCardProps["schedules"][number] | undefined }) {
  if (!row) return null;
  return <NextChange className="flex" next={row.next} keepUntil={row.keepUntil} failure={row.last?.state === "failed" ? row.last.message : null} />;
}
