"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import type { DeployForm } from "./use-deploy-form";

/** `key=value` pairs, split by blanks or commas. */
function labelsOf(text: string): Record<string, string> {
  const pairs = text.split(/[\s,]+/).filter(Boolean).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([key = "", value = ""]) => [key, value]));
}

/** Lets the Prometheus operator scrape the engine. */
export function MonitoringFields({ form: { draft, set, errorOf } }: { form: DeployForm }) {
  const { monitoring } = draft;
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-medium">Monitoring</legend>
      <Checkbox
        label="PodMonitor"
        hint={errorOf("monitoring") ?? "For clusters with the Prometheus operator."}
        checked={monitoring !== undefined}
        onChange={(event) => set({ monitoring: event.target.checked ? { namespace: "monitoring" } : undefined })}
      />
      {monitoring && (
        <>
          <Field label="Namespace of Prometheus" hint="The network policy lets it in.">
            <Input mono value={monitoring.namespace ?? ""} onChange={(event) => set({ monitoring: { ...monitoring, namespace: event.target.value } })} />
          </Field>
          <Field label="Labels that it selects" hint="Often release=prometheus.">
            <Input mono defaultValue={Object.entries(monitoring.labels ?? {}).map((pair) => pair.join("=")).join(" ")} onChange={(event) => set({ monitoring: { ...monitoring, labels: labelsOf(event.target.value) } })} spellCheck={false} />
          </Field>
        </>
      )}
    </fieldset>
  );
}
