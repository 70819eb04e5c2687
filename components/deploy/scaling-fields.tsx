"use client";

import { Field, Input, Select } from "@/components/ui/field";
import type { DeployDraft, DeployForm } from "./use-deploy-form";

type Autoscaling = NonNullable<DeployDraft["autoscaling"]>;

const first: Record<Autoscaling["by"], Autoscaling> = {
  hpa: { by: "hpa", minReplicas: 1, maxReplicas: 2, pagesPerReplica: 8 },
  keda: { by: "keda", minReplicas: 1, maxReplicas: 2, pagesPerReplica: 8, prometheusUrl: "http://prometheus.monitoring:9090" },
};

/** Who sets the replicas: the person, or the queue. */
export function ScalingFields({ form: { draft, set, errorOf } }: { form: DeployForm }) {
  const { autoscaling } = draft;
  const change = (part: Partial<Autoscaling>) => autoscaling && set({ autoscaling: { ...autoscaling, ...part } as Autoscaling }); // `by` stays what it is
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-medium">Scaling</legend>
      <Field label="Replicas are set by" hint="Sleeping at night is the schedule's, not the scaler's." error={errorOf("autoscaling")}>
        <Select
          value={autoscaling?.by ?? "none"}
          onChange={(event) => set({ autoscaling: event.target.value === "hpa" || event.target.value === "keda" ? first[event.target.value] : undefined })}
        >
          <option value="none">the number above</option>
          <option value="hpa">a HorizontalPodAutoscaler, by waiting pages</option>
          <option value="keda">KEDA, by waiting and running pages</option>
        </Select>
      </Field>
      {autoscaling && (
        <>
          <Field label="Pages per replica" hint="More of them start another GPU.">
            <Input type="number" min={1} value={autoscaling.pagesPerReplica ?? 8} onChange={(event) => change({ pagesPerReplica: Number(event.target.value) })} />
          </Field>
          <Field label="Least replicas">
            <Input type="number" min={1} max={16} value={autoscaling.minReplicas ?? 1} onChange={(event) => change({ minReplicas: Number(event.target.value) })} />
          </Field>
          <Field label="Most replicas" hint="No more than the GPUs that may be paid.">
            <Input type="number" min={1} max={16} value={autoscaling.maxReplicas} onChange={(event) => change({ maxReplicas: Number(event.target.value) })} />
          </Field>
          {autoscaling.by === "keda" && (
            <Field label="Prometheus" hint="As KEDA reaches it." className="sm:col-span-2">
              <Input mono type="url" value={autoscaling.prometheusUrl} onChange={(event) => change({ prometheusUrl: event.target.value })} />
            </Field>
          )}
        </>
      )}
    </fieldset>
  );
}
