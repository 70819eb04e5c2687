"use client";

import { Download, RotateCw, Square } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { Menu, MenuItem } from "@/components/ui/dropdown-menu";
import { toast } from "@/components/ui/toaster";
import { readUrl } from "@/lib/client/api";
import { useWrite } from "@/lib/client/hooks";
import { engineKey, type Playground, type Preset } from "./use-playground";
import type { RunView } from "./use-run";

type RunControlsProps = { playground: Playground; run: RunView | undefined; onStart: () => void; isStarting: boolean };

const PRESETS: Record<Preset, string> = { fast: "Fast: 1540 px", standard: "Standard: the model's own size", best: "Best: 400 DPI, up to 5 MP" };

export function RunControls({ playground, run, onStart, isStarting }: RunControlsProps) {
  const { engines, engine, preset, documentId, set } = playground;
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
      {run && <ExportMenu runId={run.run.id} />}
    </div>
  );
}

function CancelButton({ runId }: { runId: string }) {
  const cancel = useWrite("runs.cancel");
  return (
    <Button pending={cancel.isPending} onClick={() => cancel.mutate({ id: runId }, { onError: (error) => toast.error(error.message) })}>
      <Square aria-hidden /> Cancel
    </Button>
  );
}

function ExportMenu({ runId }: { runId: string }) {
  return (
    <Menu trigger={<Button><Download aria-hidden /> Download</Button>}>
      <MenuItem asChild><a href={readUrl("runs.export", { id: runId, format: "markdown" })} download>Markdown</a></MenuItem>
      <MenuItem asChild><a href={readUrl("runs.export", { id: runId, format: "json" })} download>JSON</a></MenuItem>
    </Menu>
  );
}
