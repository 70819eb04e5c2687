"use client";

import { formatMoney } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import type { Output } from "@/lib/client/api";
import { useCan, useRead } from "@/lib/client/hooks";
import { savedSentence } from "@/lib/domain/schedule-savings";

type Saved = Output<"schedules.savings">["deployments"][number];

function moneyOf(rows: Saved[]): string {
  const sums = new Map<string, number>();
  for (const { money } of rows) if (money) sums.set(money.currency, (sums.get(money.currency) ?? 0) + money.amount);
  const priced = [...sums].map(([currency, amount]) => formatMoney(amount, currency, 2));
  return [...priced, ...(rows.some((row) => !row.money && row.savedHours > 0) ? ["hours of nodes without a price"] : [])].join(" + ");
}

/** What sleeping really saved this month: of one deployment, or of a whole environment with the sum. */
export function SavingsPanel({ environmentId, deploymentId }: { environmentId: string; deploymentId?: string }) {
  const may = useCan("cost.read", environmentId);
  const savings = useRead("schedules.savings", { environmentId }, { enabled: may.allowed, refetchInterval: 60_000 });
  const rows = savings.data?.deployments.filter((row) => deploymentId === undefined || row.deploymentId === deploymentId) ?? [];
  if (rows.length === 0) return null;
  const total = rows.reduce((sum, row) => ({ asleepHours: sum.asleepHours + row.asleepHours, keptHours: sum.keptHours + row.keptHours, savedHours: sum.savedHours + row.savedHours }), { asleepHours: 0, keptHours: 0, savedHours: 0 });
  return (
    <Panel title="Saved by sleeping" description={`${savings.data?.month}, from the node hours that were really not paid.`}>
      <p>{savedSentence(total, moneyOf(rows))}</p>
      <ul className="mt-2 grid gap-1 text-sm text-muted-foreground">
        {rows.map((row) => (
          <li key={row.deploymentId}>
            {row.name}: {row.savedHours.toFixed(1)} h{row.money ? `, ${formatMoney(row.money.amount, row.money.currency, 2)}` : ""} ({row.priceSource})
          </li>
        ))}
      </ul>
    </Panel>
  );
}
