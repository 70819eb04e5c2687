"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { ErrorState, LoadingTable } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { useRead, useSignOut, useWrite } from "@/lib/client/hooks";
import type { Output } from "@/lib/client/api";

type SessionRow = Output<"sessions.list">["sessions"][number];

export function SessionPanel() {
  const { data, error, refetch } = useRead("sessions.list", {});
  const endAll = useWrite("sessions.endAll");
  const signOut = useSignOut();
  return (
    <Panel
      title="Sessions"
      description="Where you are signed in. A session ends after 30 minutes without use, and after 12 hours at the latest."
      padded={false}
      actions={
        <ConfirmDialog
          trigger={<Button>End all sessions</Button>}
          title="End all of your sessions?"
          goes={["Every session of yours, this one too"]}
          stays={["Your API tokens: revoke them under Tokens"]}
          actionLabel="End all sessions"
          onConfirm={async () => {
            await endAll.mutateAsync({ keepCurrent: false });
            await signOut();
          }}
        />
      }
    >
      {error && <ErrorState problem={problemOf(error)} onRetry={() => void refetch()} className="m-4" />}
      {!data && !error && <LoadingTable label="Loading sessions" rows={2} />}
      {data && <SessionTable sessions={data.sessions} />}
    </Panel>
  );
}

function SessionTable({ sessions }: { sessions: SessionRow[] }) {
  const end = useWrite("sessions.end");
  const signOut = useSignOut();
  return (
    <Table caption="Your sessions">
      <TableHead>
        <TableHeader>Device</TableHeader>
        <TableHeader>Address</TableHeader>
        <TableHeader>Signed in</TableHeader>
        <TableHeader>Last used</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {sessions.map((session) => (
          <TableRow key={session.id}>
            <TableRowHeader className="max-w-80">
              <span className="flex items-center gap-2">
                <span className="truncate" title={session.userAgent}>
                  {deviceOf(session.userAgent)}
                </span>
                {session.isCurrent && <Badge tone="accent">this one</Badge>}
              </span>
            </TableRowHeader>
            <TableCell mono>{session.ip || "–"}</TableCell>
            <TableCell>
              <RelativeTime at={session.createdAt} />
            </TableCell>
            <TableCell>
              <RelativeTime at={session.lastSeenAt} />
            </TableCell>
            <TableCell className="text-right">
              {session.isCurrent ? (
                <Button size="sm" onClick={() => void signOut()}>
                  Sign out
                </Button>
              ) : (
                <Button size="sm" onClick={() => end.mutate({ sessionId: session.id }, { onError: (error) => toast.error(error.message) })}>
                  End
                </Button>
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const BROWSERS: [RegExp, string][] = [[/Edg\//, "Edge"], [/Firefox\//, "Firefox"], [/Chrom(e|ium)\//, "Chrome"], [/Safari\//, "Safari"]];
const SYSTEMS: [RegExp, string][] = [[/Windows/, "Windows"], [/Android/, "Android"], [/iPhone|iPad/, "iOS"], [/Mac OS X/, "macOS"], [/Linux/, "Linux"]];

/** "Firefox on Linux", as far as a user agent can be believed. */
function deviceOf(userAgent: string): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent || "Unknown device");
}
