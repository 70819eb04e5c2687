"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { EmbeddedEngineBadge, SandboxBadge } from "@/components/ui/badge";
import { Page, PageHeader } from "@/components/ui/page-header";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import { DocumentList } from "./document-list";
import { DropZone } from "./drop-zone";
import { ReadingDesk } from "./reading-desk";
import { RunControls } from "./run-controls";
import { useRun } from "./use-run";
import { usePlayground } from "./use-playground";
import { useUploads } from "./use-uploads";

export function PlaygroundPage() {
  const playground = usePlayground();
  const { environment, engine, documentId, runId, preset, set } = playground;
  const [isAdding, setAdding] = useState(false);
  const start = useWrite("runs.start");
  const document = useRead("documents.get", { id: documentId ?? "" }, { enabled: documentId !== null });
  const documents = useRead("documents.list", {});
  const run = useRun(runId);

  async function read(id: string) {
    if (!engine) return void toast.error("No engine is ready. Deploy a model, or start a stopped one.");
    const begun = await start.mutateAsync({ documentId: id, deploymentId: engine.deploymentId, preset }).catch((error: Error) => void toast.error(error.message));
    if (begun) set({ doc: id, run: begun.id, page: null });
  }

  const uploads = useUploads(environment?.id ?? null, (uploaded) => {
    setAdding(false);
    void read(uploaded.id);
  });

  const dropZone = (
    <DropZone onFiles={(files) => void uploads.add(files)} items={uploads.items} onDismiss={uploads.dismiss} disabledReason={playground.uploadDenial} isSmall={documentId !== null} />
  );
  return (
    <Page>
      <PageHeader
        title={document.data?.name ?? "Playground"}
        sentence={documentId ? undefined : "Drop a document: its text appears beside it, with a box for each block. It stays in the company and is deleted when its environment says."}
        badges={engine?.isEmbedded ? <EmbeddedEngineBadge /> : engine?.isSandbox ? <><SandboxBadge /><EmbeddedEngineBadge /></> : undefined}
        action={documentId ? <><Button onClick={() => setAdding((is) => !is)} aria-expanded={isAdding}>Add documents</Button><Button onClick={() => set({ doc: null, run: null, page: null })}>All documents</Button></> : undefined}
      />
      {(documentId === null || isAdding || uploads.items.length > 0) && dropZone}
      {documentId === null ? (
        <DocumentList documents={documents.data?.documents ?? []} onChoose={(id) => set({ doc: id, run: null, page: null })} />
      ) : (
        <>
          <RunControls playground={playground} run={run.data} onStart={() => void read(documentId)} isStarting={start.isPending} />
          {document.error && <ErrorState problem={document.error} onRetry={() => void document.refetch()} />}
          {!document.data && !document.error && <LoadingPanels count={2} />}
          {document.data && <ReadingDesk document={document.data} run={run.data} page={playground.page} preset={preset} onPage={(page) => set({ page: String(page) })} />}
        </>
      )}
    </Page>
  );
}
