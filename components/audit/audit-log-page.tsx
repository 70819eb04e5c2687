"use client";

import { useSearchParams } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { problemOf } from "@/components/ui/problem";
import { Empty, ErrorState, LoadingTable } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { auditQuery } from "@/lib/domain/audit-filter";
import { AuditDetail } from "./audit-detail";
import { AuditFilters } from "./audit-filters";
import { AuditTable } from "./audit-table";

export function AuditLogPage() {
  const url = useUrlState();
  const query = auditQuery(Object.fromEntries(useSearchParams()));
  const events = useRead("audit.list", query, { keepPrevious: true });
  const environments = useRead("environments.list", {}).data?.environments ?? [];
  const nameOf = (id: string | null) => (id ? (environments.find((one) => one.id === id)?.name ?? id) : "Portal");
  const next = events.data?.next ?? undefined;

  return (
    <Page>
      <PageHeader title="Audit" sentence="Every change, refusal and sign-in, in a chain that shows when an event was altered. Newest first." />
      <AuditFilters environments={environments} />
      {events.error && <ErrorState problem={problemOf(events.error)} onRetry={() => void events.refetch()} isRetrying={events.isFetching} />}
      {events.isPending && <LoadingTable label="Loading events" columns={6} />}
      {events.data?.events.length === 0 && (
        <Empty title="No event matches." example="decision “denied” and action “members” show who tried to give a role without being allowed to." />
      )}
      {events.data && events.data.events.length > 0 && (
        <Panel label="Events" padded={false}>
          <AuditTable events={events.data.events} nameOf={nameOf} onOpen={(id) => url.set({ event: id })} />
        </Panel>
      )}
      <nav aria-label="Pages" className="flex gap-2">
        {query.before && <Button onClick={() => url.set({ before: undefined })}>Newest events</Button>}
        {next && <Button onClick={() => url.set({ before: next })}>Older events</Button>}
      </nav>
      <AuditDetail id={url.get("event")} nameOf={nameOf} onClose={() => url.set({ event: undefined })} />
    </Page>
  );
}
