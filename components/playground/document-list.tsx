"use client";

import { FileText, Trash2 } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { formatBytes, formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { ErrorState } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { useRead, useWrite } from "@/lib/client/hooks";
import type { Input as OperationInput, Output } from "@/lib/client/api";

type Row = Output<"documents.list">["documents"][number];
type Filter = { name: string; owner: "" | "me" | "others"; state: "" | "unread" | "reading" | "read" };
type DocumentListProps = { onChoose: (document: Row) => void };

const STATES: Record<Row["state"], string> = { unread: "not read", reading: "being read", read: "read", failed: "failed" };
const EMPTY: Filter = { name: "", owner: "", state: "" };
const PAGE = 50;

function toInput({ name, owner, state }: Filter, limit: number): OperationInput<"documents.list"> {
  return { limit, ...(name ? { name } : {}), ...(owner ? { owner } : {}), ...(state ? { state } : {}) };
}

/** Documents that are still kept, searched by name, owner and state, with the time at which each will be gone. */
export function DocumentList({ onChoose }: DocumentListProps) {
  const [filter, setFilter] = useState(EMPTY);
  const [limit, setLimit] = useState(PAGE);
  const settled = useDeferredValue(filter);
  const isFiltered = settled.name !== "" || settled.owner !== "" || settled.state !== "";
  const list = useRead("documents.list", isFiltered || limit > PAGE ? toInput(settled, limit) : {}, { keepPrevious: true });
  if (list.error) return <ErrorState problem={list.error} onRetry={() => void list.refetch()} />;
  const documents = list.data?.documents ?? [];
  if (documents.length === 0 && !isFiltered) return null;
  return (
    <Panel title="Your documents" description="Kept for as long as their environment says, then deleted." padded={false} actions={<Filters filter={filter} onFilter={setFilter} canSeeOthers={list.data?.canSeeOthers ?? false} />}>
      {documents.length === 0 && <p className="px-4 py-6 text-muted-foreground">No document matches.</p>}
      <ul className="divide-y divide-border" aria-label="Documents" aria-busy={list.isPlaceholderData}>
        {documents.map((document) => (
          <DocumentItem key={document.id} document={document} onChoose={() => onChoose(document)} />
        ))}
      </ul>
      {list.data?.nextBefore && limit < 200 && (
        <div className="border-t p-2 text-center">
          <Button variant="ghost" onClick={() => setLimit(limit + PAGE)}>Show more</Button>
        </div>
      )}
    </Panel>
  );
}

function Filters({ filter, onFilter, canSeeOthers }: { filter: Filter; onFilter: (filter: Filter) => void; canSeeOthers: boolean }) {
  return (
    <div role="search" className="flex flex-wrap gap-2">
      <Field label={<span className="sr-only">Name</span>} className="w-44">
        <Input type="search" placeholder="Name" value={filter.name} onChange={(event) => onFilter({ ...filter, name: event.target.value })} />
      </Field>
      <Field label={<span className="sr-only">State</span>} className="w-32">
        <Select value={filter.state} onChange={(event) => onFilter({ ...filter, state: event.target.value as Filter["state"] })}> {/* the options below */}
          <option value="">Any state</option>
          <option value="unread">Not read</option>
          <option value="reading">Being read</option>
          <option value="read">Done</option>
        </Select>
      </Field>
      {canSeeOthers && (
        <Field label={<span className="sr-only">Owner</span>} className="w-36">
          <Select value={filter.owner} onChange={(event) => onFilter({ ...filter, owner: event.target.value as Filter["owner"] })}> {/* the options below */}
            <option value="">All owners</option>
            <option value="me">Mine</option>
            <option value="others">Other people</option>
          </Select>
        </Field>
      )}
    </div>
  );
}

function DocumentItem({ document, onChoose }: { document: Row; onChoose: () => void }) {
  return (
    <li className="flex items-center pr-2 transition-colors hover:bg-muted/60">
      <button type="button" onClick={onChoose} className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-2 pl-4 text-left">
        <FileText aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{document.name}</span>
          <span className="text-sm text-muted-foreground">
            {formatCount(document.pages.length, "page")} · {formatBytes(document.bytes, "decimal")} · {STATES[document.state]} · {document.isOwn ? "" : `${document.ownerName} · `}
            {document.isHeld ? "never stored" : <>deleted <RelativeTime at={document.expiresAt} /></>}
          </span>
        </span>
        {document.isHeld && <Badge title="In memory only; gone when its tab closes.">in memory</Badge>}
      </button>
      <DeleteButton document={document} />
    </li>
  );
}

export function DeleteButton({ document, onDeleted }: { document: Pick<Row, "id" | "name">; onDeleted?: () => void }) {
  const remove = useWrite("documents.delete", ["runs"]);
  return (
    <ConfirmDialog
      trigger={<Button variant="ghost" size="icon" aria-label={`Delete ${document.name}`}><Trash2 aria-hidden /></Button>}
      title={`Delete ${document.name} now?`}
      goes={["The file and the key that opens it", "All its pages, texts and runs"]}
      stays={["The count of pages in usage and costs", "An audit entry without the name"]}
      actionLabel="Delete document"
      onConfirm={async () => {
        await remove.mutateAsync({ id: document.id });
        onDeleted?.();
      }}
    />
  );
}
