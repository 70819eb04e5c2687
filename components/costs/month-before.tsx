"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import type { UrlState } from "@/lib/client/url-state";

export type MonthBeforeProps = { report: CostReport; url: UrlState };

/** A month that has just begun says little: the one before is a click away. */
export function MonthBefore({ report: { month, pages }, url }: MonthBeforeProps) {
  if (!month.isRunning || pages > 0) return null;
  return (
    <Notice title={`No page was read in ${month.name} yet`} action={<Button onClick={() => url.set({ month: keyBefore(month.key) })}>Show the month before</Button>}>
      The chart and the figures fill as pages are read. A whole month says more.
    </Notice>
  );
}

/** "2026-12" → "2026-11". */
function keyBefore(key: string): string {
  const [year = 0, month = 0] = key.split("-").map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, "0")}`;
}
