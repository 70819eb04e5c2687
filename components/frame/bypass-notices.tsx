"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { useLive } from "@/lib/client/live";

type ApprovalRow = Output<"approvals.list">["approvals"][number];
type Place = { id: string; slug: string };
type BypassNoticesProps = { pathname: string; environments: Place[] };

const SHOWN_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/** Which bypasses a page is about: all on the overview, an environment's on its page, a deployment's on its own. */
function isAbout(pathname: string, environments: Place[]): ((one: ApprovalRow) => boolean) | null {
  const [, room, id] = pathname.split("/");
  if (pathname === "/" || (room === "environments" && !id)) return () => true;
  if (room === "deployments") return (one) => one.deploymentId === id;
  const place = room === "environments" ? environments.find((each) => each.id === id || each.slug === id) : undefined;
  return place ? (one) => one.environmentId === place.id : null;
}

/** Deployments of the last week that went round the approval, where they concern the page: by whom, when and why. */
export function BypassNotices({ pathname, environments }: BypassNoticesProps) {
  const wanted = isAbout(pathname, environments);
  const { data, dataUpdatedAt } = useRead("approvals.list", { isBypass: true }, { enabled: wanted !== null });
  const shown = wanted === null ? [] : (data?.approvals ?? []).filter((one) => wanted(one) && dataUpdatedAt - Date.parse(one.requestedAt) < SHOWN_FOR_MS);
  return (
    <>
      {environments.map(({ id }) => (
        <FollowApprovals key={id} environmentId={id} />
      ))}
      {shown.length > 0 && (
        <ul aria-label="Deployed without approval" className="grid gap-2 px-4 pt-4 sm:px-6">
          {shown.slice(0, 3).map((one) => (
            <li key={one.id}>
              <BypassNotice bypass={one} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function BypassNotice({ bypass }: { bypass: ApprovalRow }) {
  const done = bypass.state === "used" ? "deployed" : "wants to deploy";
  return (
    <Notice
      tone="warning"
      title={`${bypass.requestedBy} ${done} ${bypass.title} to ${bypass.environmentName} without the approval that is needed.`}
      action={<Button asChild size="sm"><Link href="/approvals">Approvals</Link></Button>}
    >
      <RelativeTime at={bypass.requestedAt} />: {bypass.reason}
    </Notice>
  );
}

/** Each change of an approval is read again; a bypass is also told at once, on whatever page one is. */
function FollowApprovals({ environmentId }: { environmentId: string }) {
  const client = useQueryClient();
  useLive(
    `environment:${environmentId}`,
    ({ data }) => {
      if (typeof data !== "object" || data === null || !("approvalId" in data)) return;
      void client.invalidateQueries({ queryKey: ["approvals"] });
      if (!("state" in data) || data.state !== "bypassed") return;
      const [by, title] = ["by" in data ? String(data.by) : "Somebody", "title" in data ? String(data.title) : "a version"];
      toast.warning(`${by} deploys ${title} without the approval that is needed.`);
    },
    { reads: [["approvals"]] },
  );
  return null;
}
