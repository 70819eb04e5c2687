"use client";

import Link from "next/link";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";

type Row = Output<"notifications.list">["notifications"][number];

/** The last notices, with what became of each. */
export function NoticeList({ environmentId }: { environmentId: string }) {
  const rows = useRead("notifications.list", { environmentId }).data?.notifications ?? [];
  if (rows.length === 0) return <p className="text-muted-foreground">Nothing has been noticed yet.</p>;
  return (
    <ul className="grid divide-y divide-border">
      {rows.slice(0, 10).map((row) => (
        <li key={row.id} className="grid gap-0.5 py-2">
          <span>
            <Link href={row.path} className="font-medium hover:underline">
              {row.subject}
            </Link>{" "}
            {row.sentence}
          </span>
          <span className="text-sm text-muted-foreground">
            <RelativeTime at={row.at} />, {fateOf(row)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function fateOf({ delivered, queued, givenUp, problem }: Row): string {
  if (delivered + queued + givenUp === 0) return "shown here only: no channel was set.";
  const parts = [delivered > 0 && `taken by ${delivered}`, queued > 0 && `${queued} on the way`, givenUp > 0 && `${givenUp} given up`].filter(Boolean);
  return `${parts.join(", ")}.${problem ? ` ${problem}` : ""}`;
}
