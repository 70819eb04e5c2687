"use client";

import Link from "next/link";
import { Panel } from "@/components/ui/panel";
import { StatusIcon } from "@/components/ui/status";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { TROUBLED } from "./troubled";

type Deployment = Output<"deployments.list">["deployments"][number];

/** Failures, and pods that the cluster says it cannot place. */
function needsAttention(deployment: Deployment): boolean {
  return deployment.state === "failed" || deployment.state === "timed_out" || (deployment.state === "working" && deployment.message.includes("nodes are available"));
}

export function AttentionList() {
  const rows = (useRead("deployments.list", TROUBLED).data?.deployments ?? []).filter(needsAttention);
  return (
    <Panel title="Needs attention">
      {rows.length === 0 ? (
        <p className="text-muted-foreground">Nothing. Failures and pods that cannot be placed stand here, with the cluster&apos;s own words.</p>
      ) : (
        <ul className="grid gap-4">
          {rows.map((each) => (
            <li key={each.id} className="flex items-start gap-2">
              <StatusIcon state={each.state === "working" ? "waiting" : "failed"} className="mt-0.5" />
              <div className="grid min-w-0 gap-0.5">
                <Link href={`/deployments/${each.id}`} className="font-medium underline-offset-4 hover:underline">
                  {each.environmentName} / {each.name}
                </Link>
                <p className="break-words text-muted-foreground">{each.message}</p>
                <RelativeTime at={each.stateSince} className="text-sm text-muted-foreground" />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
