"use client";

import { Field, Input, Select } from "@/components/ui/field";
import { useRead } from "@/lib/client/hooks";
import { EnvironmentKind } from "@/lib/domain/environment";

export type PlaceFieldsProps = { clusterId?: string | null; namespace?: string };

/** Cluster and namespace, as form fields of those names. */
export function PlaceFields({ clusterId, namespace }: PlaceFieldsProps) {
  const clusters = useRead("clusters.list", {}).data?.clusters ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Cluster" hint="Others are linked under Clusters.">
        <Select name="clusterId" defaultValue={clusterId ?? ""} key={clusters.length}>
          <option value="">none yet</option>
          {clusters.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Namespace" hint="It belongs to this environment alone." required>
        <Input name="namespace" mono required maxLength={63} defaultValue={namespace ?? "lectern-"} />
      </Field>
    </div>
  );
}

export function KindField({ kind }: { kind: EnvironmentKind }) {
  return (
    <Field label="Kind">
      <Select name="kind" defaultValue={kind}>
        {EnvironmentKind.options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
    </Field>
  );
}

export function RetentionField({ hours }: { hours: number }) {
  return (
    <Field label="Documents are kept for" hint="Hours; 0 stores nothing.">
      <Input name="retentionHours" type="number" min={0} max={87600} step={1} defaultValue={hours} required />
    </Field>
  );
}

export const placeOf = (values: FormData) => ({ clusterId: String(values.get("clusterId")) || null, namespace: String(values.get("namespace")) });
