"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { engineOf } from "@/lib/domain/catalog-engine";
import { ExposureFields } from "./exposure-fields";
import { MonitoringFields } from "./monitoring-fields";
import { OverlayField } from "./overlay-field";
import { ScalingFields } from "./scaling-fields";
import type { DeployForm } from "./use-deploy-form";

/** What few deployments need: each adds its object to the manifests beside, with the reason on every line. */
export function AdvancedOptions({ form }: { form: DeployForm }) {
  const { draft, set, errorOf } = form;
  const engine = engineOf({ engine: draft.engine ?? "vllm" });
  return (
    <details className="group rounded-lg border px-4 py-3">
      <summary className="cursor-pointer font-medium">Advanced: weights first, scaling, way in, monitoring, references, overrides</summary>
      <div className="mt-4 grid gap-6">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Checkbox
            label="Download the weights first"
            hint={errorOf("prefetch") ?? "A Job does it; the engine then needs no way out of the cluster."}
            checked={draft.prefetch ?? false}
            onChange={(event) => set({ prefetch: event.target.checked || undefined })}
          />
          <Checkbox
            label="Disruption budget"
            hint="One pod at a time may be drained. It never blocks an upgrade."
            checked={draft.disruptionBudget ?? false}
            onChange={(event) => set({ disruptionBudget: event.target.checked || undefined })}
          />
        </div>
        <ScalingFields form={form} />
        <ExposureFields form={form} />
        <MonitoringFields form={form} />
        <References form={form} />
        <Field label={`Release of ${engine.name}`} hint={`Another tag, better with its digest, instead of ${engine.image.tag}.`} error={errorOf("imageTag")}>
          <Input mono value={draft.imageTag ?? ""} onChange={(event) => set({ imageTag: event.target.value || undefined })} spellCheck={false} />
        </Field>
        <OverlayField form={form} />
      </div>
    </details>
  );
}

const names = [
  { field: "imagePullSecret", label: "Secret for the image registry", hint: "Of a private mirror." },
  { field: "runtimeClassName", label: "Runtime class", hint: "nvidia, on k3s and RKE." },
  { field: "priorityClassName", label: "Priority class", hint: "One that the cluster has." },
] as const;

/** Things of the cluster that are there already, by name; their values never reach Lectern. */
function References({ form: { draft, set, errorOf } }: { form: DeployForm }) {
  const token = draft.hubToken;
  const setToken = (change: { name?: string; key?: string }) => {
    const next = { name: token?.name ?? "", key: token?.key ?? "token", ...change };
    set({ hubToken: next.name === "" ? undefined : next });
  };
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-medium">References</legend>
      <Field label="Secret with the hub's token" hint="For mirrors and private copies; the models here need none." error={errorOf("hubToken")}>
        <Input mono value={token?.name ?? ""} onChange={(event) => setToken({ name: event.target.value })} spellCheck={false} />
      </Field>
      <Field label="Key in that Secret">
        <Input mono value={token?.key ?? "token"} disabled={!token} onChange={(event) => setToken({ key: event.target.value })} spellCheck={false} />
      </Field>
      {names.map(({ field, label, hint }) => (
        <Field key={field} label={label} hint={hint} error={errorOf(field)}>
          <Input mono value={draft[field] ?? ""} onChange={(event) => set({ [field]: event.target.value || undefined })} spellCheck={false} />
        </Field>
      ))}
    </fieldset>
  );
}
