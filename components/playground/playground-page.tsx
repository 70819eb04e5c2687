"use client";

import { useState } from "react";
import { EmbeddedEngineBadge, SandboxBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import type { Uploaded } from "@/lib/client/upload";
import { keptFor } from "@/lib/domain/document-rules";
import { DocumentHeader } from "./document-header";
import { DocumentList } from "./document-list";
import { DropZone } from "./drop-zone";
import { ReadingDesk } from "./reading-desk";
import { RulesDialog } from "./rules-dialog";
import { RunControls } from "./run-controls";
import { useHeld } from "./use-held";
import { usePageDrop } from "./use-page-drop";
import { usePlayground, type Engine } from "./use-playground";
import { useRun } from "./use-run";
import { useUploads } from "./use-uploads";

const LEAVE = { doc: null, run: null, page: null, block: null, find: null };

export function PlaygroundPage() {
  const playground = usePlayground();
  const { environment, engine, documentId, preset, set } = playground;
  const [isAdding, setAdding] = useState(false);
  const start = useWrite("runs.start", ["documents"]);
  const document = useRead("documents.get", { id: documentId ?? "" }, { enabled: documentId !== null });
  const rules = useRead("documents.rules", { environmentId: environment?.id ?? "" }, { enabled: environment !== null && !playground.uploadDenial });
  const run = useRun(playground.runId);
  const isThere = useHeld(document.data);

  async function read(id: string, isShown = true) {
    if (!engine) return void toast.error("No engine is ready. Deploy a model, or start a stopped one.");
    const begun = await start.mutateAsync({ documentId: id, deploymentId: engine.deploymentId, preset }).catch((error: Error) => void toast.error(error.message));
    if (begun && isShown) set({ ...LEAVE, doc: id, run: begun.id });
  }
  const uploads = useUploads(environment?.id ?? null, (uploaded: Uploaded, isFirst) => {
    setAdding(false);
    void read(uploaded.id, isFirst);
  });
  const addFiles = (files: File[]) => (playground.uploadDenial ? void toast.error(playground.uploadDenial) : void uploads.add(files));
  usePageDrop(addFiles);

  const hint = rules.data?.hint ?? "";
  return (
    <Page>
      {documentId === null ? (
        <PageHeader title="Playground" sentence="Drop a document: its text appears beside it, with a box for each block. It stays in the company and is deleted when its environment says." badges={<EngineBadges engine={engine} />} action={environment && playground.canEditRules ? <RulesDialog environment={environment} /> : undefined} />
      ) : (
        <DocumentHeader document={document.data} badges={<EngineBadges engine={engine} />} isAdding={isAdding} onAdd={() => setAdding((is) => !is)} onLeave={() => set(LEAVE)} />
      )}
      {(documentId === null || isAdding || uploads.items.length > 0) && (
        <DropZone onFiles={addFiles} items={uploads.items} onDismiss={uploads.dismiss} disabledReason={playground.uploadDenial} hint={hint} isSmall={documentId !== null} />
      )}
      {documentId === null ? (
        <DocumentList onChoose={({ id, latestRunId }) => set({ ...LEAVE, doc: id, run: latestRunId })} />
      ) : (
        <>
          {document.data?.isHeld && <Notice tone={isThere ? "info" : "failed"} title={isThere ? keptFor(0) : "The document was only in memory and is gone. Upload it again."} />}
          <RunControls playground={playground} document={document.data} run={run.data} onStart={() => void read(documentId)} isStarting={start.isPending} />
          {document.error && <ErrorState problem={document.error} onRetry={() => void document.refetch()} action={<Button onClick={() => set(LEAVE)}>All documents</Button>} />}
          {!document.data && !document.error && <LoadingPanels count={2} />}
          {document.data && <ReadingDesk key={document.data.id} document={document.data} run={run.data} playground={playground} />}
        </>
      )}
    </Page>
  );
}

function EngineBadges({ engine }: { engine: Engine | null }) {
  if (engine?.isEmbedded) return <EmbeddedEngineBadge />;
  return engine?.isSandbox ? <><SandboxBadge /><EmbeddedEngineBadge /></> : null;
}
