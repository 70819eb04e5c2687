"use client";

import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import { LoadingText } from "@/components/ui/states";
import { ExactTime } from "@/components/ui/time";
import { useRead } from "@/lib/client/hooks";
import { formatMoney } from "@/lib/domain/cost-format";
import type { ApprovalRow } from "./approval-card";

/** What a request to go beyond a budget stands for: how far it is used, at which pace, what runs, and what an approval lets through. */
export function ApprovedBudget({ approval }: { approval: ApprovalRow }) {
  const { environmentId, environmentName } = approval;
  const { data, error } = useRead("budgets.get", { environmentId });
  const running = useRead("costs.now", {}).data?.environments.find((one) => one.environmentId === environmentId);
  const slug = useRead("environments.list", {}).data?.environments.find((one) => one.id === environmentId)?.slug ?? "";
  if (error) return <Notice tone="warning" title={error.message} />;
  if (!data) return <LoadingText label="Loading the budget" />;
  const budget = data.budgets.find((one) => one.approval?.id === approval.id);
  if (!budget) return <Notice tone="warning" title="This request no longer stands for a budget: it was changed or removed, or its month is over." />;
  const perHour = running?.perHour.map(({ amount, currency }) => `${formatMoney({ amount: amount.toFixed(9), currency })} an hour`) ?? [];
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>{budget.sentence}</li>
      <li>
        {running && running.nodes > 0
          ? `${running.nodes} ${running.nodes === 1 ? "node runs" : "nodes run"} in ${environmentName} now${perHour.length > 0 ? `, ${perHour.join(" and ")}` : ""}${running.unpriced > 0 ? `; ${running.unpriced} without a price` : ""}.`
          : `No node runs in ${environmentName} now.`}
      </li>
      <li>
        An approval lets every start and deployment in {environmentName} through, by people, tokens and the schedule, until <ExactTime at={approval.expiresAt} />. It raises no budget: with the next month, or another amount, it ends.
      </li>
      <li>
        <Link href={`/costs?view=budgets&env=${slug}`} className="underline underline-offset-2">
          The costs of the month
        </Link>
      </li>
    </ul>
  );
}
