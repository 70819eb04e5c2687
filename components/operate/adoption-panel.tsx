"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { FieldChanges } from "@/components/ui/field-changes";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

type Candidate = Output<"adoption.list">["candidates"][number];
type Preview = Output<"adoption.preview">;
type Manager = { key: string; manager: string };

/** Deployments of the namespace that somebody applied past Lectern. Nothing when there is none. */
export function AdoptionPanel({ environmentId }: { environmentId: string }) {
  const { data } = useRead("adoption.list", { environmentId });
  if (!data || data.candidates.length === 0) return null;
  return (
    <Panel title="Applied past Lectern" description="Deployments in this namespace that serve LightOnOCR and are not Lectern’s. Nothing changes before you have seen what would.">
      <ul className="grid gap-4">
        {data.candidates.map((candidate) => (
          <li key={candidate.name} className="grid gap-1">
            <p className="flex flex-wrap items-center gap-2"><span className="font-mono break-all">{candidate.name}</span> <Badge>{candidate.replicas === 1 ? "1 replica" : `${candidate.replicas} replicas`}</Badge></p>
            <p className="text-sm break-words text-muted-foreground">{candidate.modelName} with {candidate.engineName} on {candidate.skuName ?? "a size it does not name"}, applied by {candidate.managers.join(" and ") || "nobody who is named"}.</p>
            {candidate.problem ? <p className="text-sm text-failed">{candidate.problem}</p> : <TakeOver candidate={candidate} environmentId={environmentId} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function TakeOver({ candidate, environmentId }: { candidate: Candidate; environmentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [skuId, setSkuId] = useState(candidate.skuId ?? "");
  const [takeOver, setTakeOver] = useState<Manager[]>([]);
  const may = useCan("deployment.apply", environmentId);
  const catalog = useRead("catalog.get", {}, { enabled: isOpen });
  const { data, error } = useRead("adoption.preview", { environmentId, name: candidate.name, takeOver, ...(skuId === "" ? {} : { skuId }) }, { enabled: isOpen && skuId !== "" });
  const apply = useWrite("deployments.apply", ["adoption"]);
  if (may.reason) return <Button size="sm" className="justify-self-start" disabledReason={may.reason}>Take over</Button>;
  const refusal = skuId === "" ? "Choose the GPU size that it runs on." : (error?.message ?? data?.blockers[0] ?? (data?.needsApproval ? "This environment asks for an approval: request it with the digest." : data ? null : "It is being worked out."));
  const run = async () => {
    if (!data?.digest) return;
    await apply.mutateAsync({ digest: data.digest }).then(() => toast.success(`${candidate.name} is Lectern’s now.`), (problem: Error) => toast.error(problem.message));
    setOpen(false);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button size="sm" className="justify-self-start">Take over</Button>}
      title={`Take ${candidate.name} over?`}
      description="What Lectern would apply, compared with what stands there."
      footer={<><DialogClose asChild><Button>Cancel</Button></DialogClose><Button variant="primary" pending={apply.isPending} disabledReason={refusal} onClick={() => void run()}>Take over</Button></>}
    >
      <div className="grid gap-4">
        {candidate.skuId === null && (
          <Field label="GPU size">
            <Select value={skuId} onChange={(event) => setSkuId(event.target.value)}>
              <option value="">Choose</option>
              {catalog.data?.sizes.map((size) => <option key={size.id} value={size.id}>{size.name}</option>)}
            </Select>
          </Field>
        )}
        {error && <Notice tone="failed" title={error.message} />}
        {data && <Changes preview={data} takeOver={takeOver} onChange={setTakeOver} />}
      </div>
    </Dialog>
  );
}

function Changes({ preview, takeOver, onChange }: { preview: Preview; takeOver: Manager[]; onChange: (next: Manager[]) => void }) {
  const isSame = (left: Manager, right: Manager) => left.key === right.key && left.manager === right.manager;
  return (
    <>
      <ul className="grid gap-1">{[...preview.summary, ...preview.notes].map((line) => <li key={line}>{line}</li>)}</ul>
      <ul aria-label="Objects" className="divide-y rounded-lg border">
        {preview.objects.map((object) => (
          <li key={object.key} className="grid min-w-0 gap-2 px-3 py-2">
            <span className="flex flex-wrap items-center gap-2"><span className="font-mono text-sm break-all">{object.key}</span> <Badge>{object.state}</Badge></span>
            {object.conflicts.map(({ manager }) => {
              const one = { key: object.key, manager };
              return <Checkbox key={manager} label={`Take over what ${manager} wrote here`} checked={takeOver.some((each) => isSame(each, one))} onChange={(event) => onChange(event.target.checked ? [...takeOver, one] : takeOver.filter((each) => !isSame(each, one)))} />;
            })}
            {object.refusal && <p className="text-sm text-failed">{object.refusal}</p>}
            {object.changes.length > 0 && <FieldChanges changes={object.changes} />}
          </li>
        ))}
      </ul>
    </>
  );
}
