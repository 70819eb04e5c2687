"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/time";
import type { Output } from "@/lib/client/api";
import { DeleteButton } from "./document-list";

type DocumentHeaderProps = { document: Output<"documents.get"> | undefined; badges: ReactNode; isAdding: boolean; onAdd: () => void; onLeave: () => void };

/** The document's name, when it will be gone, and the way back to the others. */
export function DocumentHeader({ document, badges, isAdding, onAdd, onLeave }: DocumentHeaderProps) {
  return (
    <PageHeader
      title={document?.name ?? "Playground"}
      sentence={document && !document.isHeld ? <>Deleted <RelativeTime at={document.expiresAt} />, with its texts.</> : undefined}
      badges={badges}
      action={
        <>
          <Button onClick={onAdd} aria-expanded={isAdding}>Add documents</Button>
          <Button onClick={onLeave}>All documents</Button>
          {document && <DeleteButton document={document} onDeleted={onLeave} />}
        </>
      }
    />
  );
}
