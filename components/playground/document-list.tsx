"use client";

import { FileText } from "lucide-react";
import { formatBytes, formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";

type DocumentListProps = { documents: Output<"documents.list">["documents"]; onChoose: (id: string) => void };

/** Documents that are still kept, with the time at which each will be gone. */
export function DocumentList({ documents, onChoose }: DocumentListProps) {
  if (documents.length === 0) return null;
  return (
    <Panel title="Your documents" description="Kept for as long as their environment says, then deleted." padded={false}>
      <ul className="divide-y divide-border">
        {documents.map((document) => (
          <li key={document.id}>
            <button type="button" onClick={() => onChoose(document.id)} className="flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left transition-colors hover:bg-muted/60">
              <FileText aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{document.name}</span>
                <span className="text-sm text-muted-foreground">
                  {formatCount(document.pages.length, "page")} · {formatBytes(document.bytes, "decimal")} · deleted <RelativeTime at={document.expiresAt} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
