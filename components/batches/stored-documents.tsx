"use client";

import { useDeferredValue, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { useRead } from "@/lib/client/hooks";

const MOST = 200;

type StoredDocumentsProps = { environmentId: string; chosen: string[]; onChoose: (ids: string[]) => void };

/** Documents of this environment that are stored, to be chosen one by one or as they were searched. */
export function StoredDocuments({ environmentId, chosen, onChoose }: StoredDocumentsProps) {
  const [name, setName] = useState("");
  const settled = useDeferredValue(name);
  const list = useRead("documents.list", { environmentId, limit: MOST, ...(settled ? { name: settled } : {}) }, { keepPrevious: true });
  const documents = (list.data?.documents ?? []).filter(({ isHeld }) => !isHeld);
  /** Of every document chosen, also when another search has taken it out of sight. */
  const [pagesOf, setPagesOf] = useState<ReadonlyMap<string, number>>(new Map());
  const pages = chosen.reduce((sum, id) => sum + (pagesOf.get(id) ?? 0), 0);

  function choose(more: typeof documents) {
    setPagesOf(new Map([...pagesOf, ...more.map((document) => [document.id, document.pages.length] as const)]));
    onChoose([...new Set([...chosen, ...more.map(({ id }) => id)])]);
  }

  return (
    <div className="grid gap-2 rounded-lg border bg-card p-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={<span className="sr-only">Search by name</span>} className="min-w-40 flex-1"><Input type="search" placeholder="Search by name" value={name} onChange={(event) => setName(event.target.value)} /></Field>
        <Button size="sm" disabledReason={documents.length === 0 ? "Nothing is shown." : null} onClick={() => choose(documents)}>Choose all shown</Button>
      </div>
      <ul className="grid max-h-56 gap-1 overflow-y-auto" aria-label="Stored documents" aria-busy={list.isFetching}>
        {documents.map((document) => (
          <li key={document.id}>
            <Checkbox label={<span className="break-words">{document.name} <span className="text-sm text-muted-foreground">{formatCount(document.pages.length, "page")}</span></span>} checked={chosen.includes(document.id)} onChange={(event) => (event.target.checked ? choose([document]) : onChoose(chosen.filter((id) => id !== document.id)))} />
          </li>
        ))}
        {list.data && documents.length === 0 && <li className="py-3 text-sm text-muted-foreground">{name ? "No document of that name is stored here." : "No document is stored in this environment yet."}</li>}
        {list.data?.nextBefore && <li className="py-2 text-sm text-muted-foreground">The newest {MOST} are shown; search for others by name.</li>}
      </ul>
      <p className="text-sm text-muted-foreground" aria-live="polite">{chosen.length === 0 ? "None chosen." : `${formatCount(chosen.length, "document")} chosen, ${formatCount(pages, "page")}.`}</p>
    </div>
  );
}
