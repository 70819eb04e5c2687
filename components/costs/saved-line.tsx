"use client";

import { useRead } from "@/lib/client/hooks";
import { formatMoney } from "@/lib/domain/cost-format";

export type SavedLineProps = { environmentId: string; month: string };

/** What the stop schedule really saved in the month; nothing where nothing slept. */
export function SavedLine({ environmentId, month }: SavedLineProps) {
  const rows = useRead("schedules.savings", { environmentId, month }, { refetchInterval: 60_000 }).data?.deployments.filter((row) => row.asleepHours > 0) ?? [];
  if (rows.length === 0) return null;
  const hours = rows.reduce((sum, row) => sum + row.savedHours, 0);
  const kept = rows.reduce((sum, row) => sum + row.keptHours, 0);
  const sums = new Map<string, number>();
  for (const { money } of rows) if (money) sums.set(money.currency, (sums.get(money.currency) ?? 0) + money.amount);
  const money = [...sums].map(([currency, amount]) => formatMoney({ amount: amount.toFixed(9), currency })).join(" and ");
  return (
    <p className="border-t px-4 py-3">
      Sleeping saved <strong>{money || "an amount without a price"}</strong>: {hours.toFixed(1)} node hours were not paid
      {kept > 0.05 && `, ${kept.toFixed(1)} more were paid although nothing ran, as the node stayed`}.
    </p>
  );
}
