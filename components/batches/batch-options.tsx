"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input, Select } from "@/components/ui/field";
import type { Output } from "@/lib/client/api";
import { BATCH_OUTPUTS, type BatchOutput } from "@/lib/domain/batch";
import type { BatchChoice } from "./use-start-batch";

export type Options = Required<Pick<BatchChoice, "name" | "mode" | "preset" | "outputs">> & { deploymentId: string | null; webhookUrl: string };
type Engine = Output<"engines.list">["engines"][number];
type BatchOptionsProps = { options: Options; onChange: (change: Partial<Options>) => void; engines: Engine[] };

const EMBEDDED = "embedded";
const OUTPUT_WORDS: Record<BatchOutput, string> = { markdown: "Markdown", text: "Plain text", json: "JSON with boxes", html: "HTML" };

export function BatchOptions({ options, onChange, engines }: BatchOptionsProps) {
  const toggle = (output: BatchOutput, isOn: boolean) => onChange({ outputs: BATCH_OUTPUTS.filter((each) => (each === output ? isOn : options.outputs.includes(each))) });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name"><Input value={options.name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} /></Field>
      <Field label="Engine">
        <Select value={options.deploymentId ?? EMBEDDED} onChange={(event) => onChange({ deploymentId: event.target.value === EMBEDDED ? null : event.target.value })}>
          {engines.map(({ deploymentId, title, isSandbox }) => <option key={deploymentId ?? EMBEDDED} value={deploymentId ?? EMBEDDED}>{title}{isSandbox ? " (sandbox)" : ""}</option>)}
        </Select>
      </Field>
      <Field label="Prompt">
        <Select value={options.mode} onChange={(event) => onChange({ mode: event.target.value === "plain" ? "plain" : "grounding" })}>
          <option value="grounding">Text with boxes</option>
          <option value="plain">Text alone, a fifth fewer tokens</option>
        </Select>
      </Field>
      <Field label="Resolution">
        <Select value={options.preset} onChange={(event) => onChange({ preset: event.target.value === "fast" ? "fast" : event.target.value === "best" ? "best" : "standard" })}>
          <option value="fast">Fast: 1540 px</option>
          <option value="standard">Standard: the model&apos;s own size</option>
          <option value="best">Best: 400 DPI, up to 5 MP</option>
        </Select>
      </Field>
      <fieldset className="grid content-start gap-2">
        <legend className="mb-1.5 font-medium">The result holds, of each document</legend>
        <div className="grid grid-cols-2 gap-2">
          {BATCH_OUTPUTS.map((output) => <Checkbox key={output} label={OUTPUT_WORDS[output]} checked={options.outputs.includes(output)} onChange={(event) => toggle(output, event.target.checked)} />)}
        </div>
      </fieldset>
      <Field label="Webhook, if a program waits" hint="Gets one signed POST when the batch has ended. The secret is shown once, after the start.">
        <Input type="url" inputMode="url" placeholder="https://" value={options.webhookUrl} onChange={(event) => onChange({ webhookUrl: event.target.value })} />
      </Field>
    </div>
  );
}
