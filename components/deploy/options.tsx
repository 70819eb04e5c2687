"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input, Select } from "@/components/ui/field";
import { EngineId, engines } from "@/lib/domain/catalog-engine";
import type { DeployForm } from "./use-deploy-form";

/** A number as it is typed; undefined for an empty field, so that the default counts. */
function numberOf(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

/** What has a good default: replicas, length, storage, callers. Closed until somebody wants it. */
export function Options({ form }: { form: DeployForm }) {
  const { draft, set, errorOf, model } = form;
  return (
    <details className="group rounded-lg border px-4 py-3">
      <summary className="cursor-pointer font-medium">Replicas, length, storage, access and engine</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field label="Replicas" hint="Each takes a whole GPU." error={errorOf("replicas")}>
          <Input type="number" min={0} max={16} value={draft.replicas ?? 1} onChange={(event) => set({ replicas: numberOf(event.target.value) ?? 0 })} />
        </Field>
        <Field label="Longest page, in tokens" hint={`Image and text together; ${model.maxModelLen} when left empty.`} error={errorOf("maxModelLen")}>
          <Input type="number" min={4096} step={1024} value={draft.maxModelLen ?? ""} onChange={(event) => set({ maxModelLen: numberOf(event.target.value) })} />
        </Field>
        <Field label="Volume, in GiB" hint="Weights, twice for an update, and compile cache." error={errorOf("storageGi")}>
          <Input type="number" min={20} value={draft.storageGi ?? 40} onChange={(event) => set({ storageGi: numberOf(event.target.value) ?? 0 })} />
        </Field>
        <Field label="Storage class" hint="The cluster's default when left empty." error={errorOf("storageClass")}>
          <Input mono value={draft.storageClass ?? ""} onChange={(event) => set({ storageClass: event.target.value || undefined })} spellCheck={false} />
        </Field>
        <Field label="Volume is attached to" hint="Many nodes are needed from two replicas on." error={errorOf("accessMode")}>
          <Select value={draft.accessMode ?? "ReadWriteOnce"} onChange={(event) => set({ accessMode: event.target.value === "ReadWriteMany" ? "ReadWriteMany" : "ReadWriteOnce" })}>
            <option value="ReadWriteOnce">one node (ReadWriteOnce)</option>
            <option value="ReadWriteMany">many nodes (ReadWriteMany)</option>
          </Select>
        </Field>
        <Field label="Namespaces that may call it" hint="Besides the portal, separated by blanks." error={errorOf("callerNamespaces")}>
          <Input mono defaultValue={(draft.callerNamespaces ?? []).join(" ")} onChange={(event) => set({ callerNamespaces: event.target.value.split(/[\s,]+/).filter(Boolean) })} spellCheck={false} />
        </Field>
        <Field label="Engine" error={errorOf("engine")} hint={engines.find((engine) => engine.deployable === (draft.engine ?? "vllm"))?.reason}>
          <Select value={draft.engine ?? "vllm"} onChange={(event) => set({ engine: EngineId.safeParse(event.target.value).data ?? "vllm" })}>
            {engines.map((engine) => (
              <option key={engine.id} value={engine.deployable ?? engine.id} disabled={engine.deployable === null}>
                {engine.name} {engine.support === "tested" ? "" : engine.support === "unable" ? "(cannot serve these models)" : "(untested)"}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox label="Spot nodes" hint="Cheaper, and taken away within minutes when the cloud needs them." checked={draft.spot ?? false} onChange={(event) => set({ spot: event.target.checked })} />
        <Checkbox label="Offline" hint="The weights are on the volume already: no way out of the cluster." checked={draft.offline ?? false} onChange={(event) => set({ offline: event.target.checked })} />
      </div>
      <ul aria-label="Engines that are not offered" className="mt-4 grid gap-1 text-sm text-muted-foreground">
        {engines
          .filter((engine) => engine.deployable === null)
          .map((engine) => (
            <li key={engine.id}>
              {engine.name}: {engine.reason}
            </li>
          ))}
      </ul>
    </details>
  );
}
