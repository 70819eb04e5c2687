"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { useCurrentEnvironment } from "@/lib/client/environment";
import { useRead } from "@/lib/client/hooks";
import { useStartBatch } from "./use-start-batch";

type Mode = "grounding" | "plain";
type Preset = "fast" | "standard" | "best";

export function StartBatch() {
  const { environment } = useCurrentEnvironment();
  const engines = (useRead("engines.list", {}).data?.engines ?? []).filter((engine) => engine.environmentId === null || engine.environmentId === environment?.id);
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useState("");
  const [chosen, setEngine] = useState<string>();
  const [mode, setMode] = useState<Mode>("grounding");
  const [preset, setPreset] = useState<Preset>("standard");
  const { start, step, skipped, error } = useStartBatch();
  const engine = chosen ?? engines[0]?.deploymentId ?? "";
  const missing = !environment ? "Choose an environment." : files.length === 0 ? "Choose files, a folder or a zip archive." : name.trim() === "" ? "Give the batch a name." : undefined;

  async function submit() {
    if (!environment || missing) return;
    if (await start(files, { environmentId: environment.id, name, deploymentId: engine === "" ? null : engine, mode, preset })) setName("");
  }

  return (
    <Panel title={environment ? `New batch in ${environment.name}` : "New batch"}>
      <form className="grid gap-4" onSubmit={(event) => (event.preventDefault(), void submit())}>
        <div className="grid gap-4 md:grid-cols-2">
          <Files onChoose={setFiles} />
          <Field label="Name">
            <Input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Field label="Engine">
            <Select value={engine} onChange={(event) => setEngine(event.target.value)}>
              {engines.map((each) => <option key={each.deploymentId ?? ""} value={each.deploymentId ?? ""}>{each.title}</option>)}
            </Select>
          </Field>
          <Field label="Output">
            <Select value={mode} onChange={(event) => setMode(event.target.value === "plain" ? "plain" : "grounding")}>
              <option value="grounding">Text with boxes</option>
              <option value="plain">Markdown only</option>
            </Select>
          </Field>
          <Field label="Resolution">
            <Select value={preset} onChange={(event) => setPreset(event.target.value === "fast" ? "fast" : event.target.value === "best" ? "best" : "standard")}>
              <option value="fast">Fast</option>
              <option value="standard">Standard</option>
              <option value="best">Best</option>
            </Select>
          </Field>
        </div>
        <Button type="submit" variant="primary" className="justify-self-start" pending={step !== null} disabledReason={missing}>Start batch</Button>
        <p aria-live="polite">{step}</p>
        {error && <Notice tone="failed" title={error} />}
        {skipped.length > 0 && <Notice tone="warning" title={`${skipped.length} files were left out.`}>{skipped.slice(0, 10).map((file) => <p key={file.name}>{file.name}: {file.reason}</p>)}</Notice>}
      </form>
    </Panel>
  );
}

function Files({ onChoose }: { onChoose: (files: File[]) => void }) {
  const [isFolder, setFolder] = useState(false);
  return (
    <Field label={isFolder ? "Folder" : "Files or zip archive"} aside={<Button size="sm" variant="link" onClick={() => setFolder(!isFolder)}>{isFolder ? "Choose files instead" : "Choose a folder instead"}</Button>}>
      <Input key={String(isFolder)} type="file" multiple {...(isFolder ? { webkitdirectory: "" } : {})} onChange={(event) => onChoose([...(event.target.files ?? [])].filter((file) => !file.name.startsWith(".")))} />
    </Field>
  );
}
