"use client";

import { Columns2, RotateCw, Square } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { formatNumber } from "@/components/ui/format";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import { pageSizeOf, renderModelOf, renderSize } from "@/lib/domain/document-rendering";
import { ExportMenu } from "./export-menu";
import { engineKey, type Engine, type Playground, type Preset } from "./use-playground";
import type { RunView } from "./use-run";

type RunControlsProps = { playground: Playground; document: Output<"documents.get"> | undefined; run: RunView | undefined; onStart: () => void; isStarting: boolean };

const PRESETS: Record<Preset, string> = { fast: "Fast: 1540 px", standard: "Standard: the model's own size", best: "Best: 400 DPI, up to 5 MP" };

export function RunControls({ playground, document, run, onStart, isStarting }: RunControlsProps) {
  const { engines, engine, preset, documentId, hidden, set } = playground;
  const isRunning = run?.run.state === "queued" || run?.run.state === "running";
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label="Engine" className="w-72 max-w-full">
        <Select value={engine ? engineKey(engine) : ""} onChange={(event) => set({ engine: event.target.value })}>
          {engines.map((each) => (
            <option key={engineKey(each)} value={engineKey(each)}>
              {each.title}
              {each.isSandbox ? " (sandbox)" : ""}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Resolution" className="w-60 max-w-full">
        <Select value={preset} onChange={(event) => set({ preset: event.target.value })}>
          {Object.entries(PRESETS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {isRunning && run ? (
        <CancelButton runId={run.run.id} />
      ) : (
        <Button variant="primary" onClick={onStart} pending={isStarting} disabledReason={documentId ? (engine ? null : "No engine is ready.") : "Choose a document first."}>
          <RotateCw aria-hidden /> {run ? "Read again" : "Read"}
        </Button>
      )}
      {run && <ExportMenu runId={run.run.id} hidden={hidden} />}
      {document && !document.isHeld && <Button asChild><Link href={`/compare?doc=${document.id}`}><Columns2 aria-hidden /> Compare</Link></Button>}
      {engine && document && <p className="basis-full text-sm text-muted-foreground">{expectation(engine, preset, document)}</p>}
    </div>
  );
}

/** What the run will cost before it begins: the picture's size and tokens by the model's rule, and seconds as measured on this engine. */
function expectation(engine: Engine, preset: Preset, document: Output<"documents.get">): string {
  const [first] = document.pages;
  if (!first) return "";
  const { width, height, imageTokens } = renderSize({ model: renderModelOf(engine.modelId), preset, page: pageSizeOf(first) });
  const size = `Page 1 is sent as ${width} × ${height} px`;
  const tokens = engine.isEmbedded ? "" : `, ${formatNumber(imageTokens)} image tokens`;
  const measured = engine.measured.find((each) => each.preset === preset);
  if (!measured) return `${size}${tokens}. No page was read here with this resolution in the last week, so its seconds are not known yet.`;
  const seconds = `≈ ${formatNumber(measured.secondsPerPage, { digits: 1 })} s a page, measured on the last ${measured.pages} ${measured.pages === 1 ? "page" : "pages"}`;
  return `${size}${tokens}; ${seconds}.`;
}

function CancelButton({ runId }: { runId: string }) {
  const cancel = useWrite("runs.cancel");
  return (
    <Button pending={cancel.isPending} onClick={() => cancel.mutate({ id: runId }, { onError: (error) => toast.error(error.message) })}>
      <Square aria-hidden /> Cancel
    </Button>
  );
}
