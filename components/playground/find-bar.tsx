"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import type { Ref } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import type { Find } from "./use-find";

type FindBarProps = { find: Find; query: string; onQuery: (query: string) => void; inputRef: Ref<HTMLInputElement> };

/** Search over the text of all pages: how often, on how many pages, and from hit to hit. */
export function FindBar({ find, query, onQuery, inputRef }: FindBarProps) {
  const isActive = query.trim().length >= 2;
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <Field label={<span className="sr-only">Search in the text</span>} className="w-56 max-w-full">
        <Input
          ref={inputRef}
          type="search"
          placeholder="Search in the text"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </Field>
      <Button variant="ghost" size="icon" aria-label="Hit before" onClick={() => find.step(-1)} disabledReason={find.blocks > 0 ? null : "There are no hits."}><ChevronUp aria-hidden /></Button>
      <Button variant="ghost" size="icon" aria-label="Next hit" onClick={() => find.step(1)} disabledReason={find.blocks > 0 ? null : "There are no hits."}><ChevronDown aria-hidden /></Button>
      <p role="status" className="text-sm text-muted-foreground tabular-nums">
        {isActive && (find.total === 0 ? "Nothing found." : `${find.total} ${find.total === 1 ? "hit" : "hits"} on ${find.pages} ${find.pages === 1 ? "page" : "pages"}`)}
      </p>
    </div>
  );
}
