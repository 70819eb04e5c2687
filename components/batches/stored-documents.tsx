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
  const list = useRead("documents.list", { limit: MOST, ...(settled ? { name: settled } : {}) }, { keepPrevious: true });
  const documents = (list.data?.documents ?? []).filter((document) => document.environmentId === environmentId && !document.isHeld);
  const pages = documents.filter(({ id }) => chosen.includes(id)).reduce((sum, document) => sum + document.pages.length, 0);
  const toggle = (id: string, isOn: boolean) => onChoose(isOn ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <div className="grid gap-2 rounded-lg border bg-card p-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={<span className="sr-only">Search by name</span>} className="min-w-40 flex-1"><Input type="search" placeholder="Search by name" value={name} onChange={(event) => setName(event.target.value)} /></Field>
        <Button size="sm" onClick={() => onChoose([...new Set([...chosen, ...documents.map(({ id }) => id)])])}>Choose all shown</Button>
      </div>
      <ul className="grid max-h-56 gap-1 overflow-y-auto" aria-label="Stored documents" aria-busy={list.isFetching}>
        {documents.map((document) => (
          <li key={document.id}>
            <Checkbox label={<span className="break-words">{document.name} <span className="text-sm text-muted-foreground">{formatCount(document.pages.length, "page")}</span></span>} checked={chosen.includes(document.id)} onChange={(event) => toggle(document.id, event.target.checked)} />
          </li>
        ))}
        {list.data && documents.length === 0 && <li className="py-3 text-sm text-muted-foreground">{name ? "No document of that name is stored here." : "No document is stored in this environment yet."}</li>}
      </ul>
      <p className="text-sm text-muted-foreground" aria-live="polite">{chosen.length === 0 ? "None chosen." : `${formatCount(chosen.length, "document")} chosen, ${formatCount(pages, "page")}.`}</p>
    </div>
  );
}
