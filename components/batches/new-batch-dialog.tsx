"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Progress } from "@/components/ui/progress";
import { ShownOnce } from "@/components/ui/shown-once";
import { useCurrentEnvironment, type EnvironmentChoice } from "@/lib/client/environment";
import { useCan, useRead } from "@/lib/client/hooks";
import { BatchOptions, type Options } from "./batch-options";
import { BatchSource, type Source } from "./batch-source";
import { pathOf, useStartBatch, type Material } from "./use-start-batch";

const NOTHING: Material = { files: [], documentIds: [] };

/** The button that starts it all, with its dialog. */
export function NewBatch({ label = "New batch" }: { label?: string }) {
  const { environment } = useCurrentEnvironment();
  const { reason } = useCan("document.upload", environment?.id ?? null);
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const trigger = <Button variant="primary" disabledReason={environment ? reason : "Choose an environment first."}><Plus aria-hidden /> {label}</Button>;
  const close = (open: boolean) => {
    setOpen(open);
    if (!open) setSecret(null);
  };
  return (
    <Dialog open={isOpen} onOpenChange={close} trigger={trigger} size="lg" title={secret ? "The batch is at work" : `New batch in ${environment?.name ?? ""}`} description={secret ? "Your program checks the webhook's signature with this secret." : "Documents are read in the background; pages of the playground go first."}>
      {secret ? <Secret secret={secret} /> : environment && <NewBatchForm key={environment.id} environment={environment} onStarted={(shown) => (shown ? setSecret(shown) : close(false))} />}
    </Dialog>
  );
}

function Secret({ secret }: { secret: string }) {
  return (
    <div className="grid gap-4">
      <ShownOnce title="Copy the secret now: it is not shown again." label="the webhook's secret" secret={secret}>
        Signed as standardwebhooks.com says: HMAC-SHA256 over id, time and body, in the header webhook-signature.
      </ShownOnce>
      <DialogClose asChild><Button variant="primary" className="justify-self-end">Done</Button></DialogClose>
    </div>
  );
}

function NewBatchForm({ environment, onStarted }: { environment: EnvironmentChoice; onStarted: (secret: string | null) => void }) {
  const engines = (useRead("engines.list", {}).data?.engines ?? []).filter(({ environmentId }) => environmentId === null || environmentId === environment.id);
  const [source, setSource] = useState<Source>("files");
  const [material, setMaterial] = useState(NOTHING);
  const [changed, setChanged] = useState<Partial<Options>>({});
  const { start, cancel, sending, error } = useStartBatch();
  const options: Options = { name: nameFrom(material), deploymentId: engines[0]?.deploymentId ?? null, mode: "grounding", preset: "standard", outputs: ["markdown", "json"], webhookUrl: "", ...changed };
  const missing = missingOf({ material, options, engines: engines.length });

  async function submit() {
    if (missing) return;
    const { webhookUrl, ...chosen } = options;
    const started = await start(material, { environmentId: environment.id, ...chosen, name: options.name.trim(), ...(webhookUrl.trim() ? { webhookUrl: webhookUrl.trim() } : {}) });
    if (started) onStarted(started.webhookSecret);
  }

  return (
    <form className="grid min-w-0 gap-5" onSubmit={(event) => (event.preventDefault(), void submit())}>
      <BatchSource source={source} onSource={(next) => (setSource(next), setMaterial(NOTHING))} material={material} onMaterial={setMaterial} environmentId={environment.id} />
      <BatchOptions options={options} onChange={(change) => setChanged({ ...changed, ...change })} engines={engines} />
      {error && <Notice tone="failed" title={error} />}
      {sending && <Progress label={`Sending ${sending.name}`} value={sending.done} max={sending.total} valueText={`${sending.done} of ${sending.total}`} showLabel />}
      <footer className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {sending ? <Button onClick={cancel}>Stop sending</Button> : <DialogClose asChild><Button>Cancel</Button></DialogClose>}
        <Button type="submit" variant="primary" pending={sending !== null} disabledReason={missing}>Start batch</Button>
      </footer>
    </form>
  );
}

/** The folder's or the archive's name, else the first file's. */
function nameFrom({ files }: Material): string {
  const [first] = files;
  if (!first) return "";
  const path = pathOf(first);
  return (path.includes("/") ? (path.split("/")[0] ?? path) : path.replace(/\.[^.]+$/, "")).slice(0, 100);
}

function missingOf({ material, options, engines }: { material: Material; options: Options; engines: number }): string | null {
  if (material.files.length + material.documentIds.length === 0) return "Choose documents first.";
  if (engines === 0) return "No engine is ready here. Deploy a model first.";
  if (options.name.trim() === "") return "Give the batch a name.";
  return options.outputs.length === 0 ? "Choose at least one output." : null;
}
