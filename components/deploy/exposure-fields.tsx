"use client";

import { Field, Input, Select } from "@/components/ui/field";
import type { DeployDraft, DeployForm } from "./use-deploy-form";

type Exposure = NonNullable<DeployDraft["exposure"]>;

const first: Record<Exposure["kind"], Exposure> = { "load-balancer": { kind: "load-balancer" }, ingress: { kind: "ingress", host: "ocr.internal.example.com" } };

/** How programs outside the cluster reach the model, inside the company's network. */
export function ExposureFields({ form: { draft, set, errorOf, sku } }: { form: DeployForm }) {
  const { exposure } = draft;
  const needsClass = sku.cloud !== "aws" && sku.cloud !== "gcp";
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-medium">Way in</legend>
      <Field label="Besides the cluster's own address" hint="Never a public one." error={errorOf("exposure")}>
        <Select value={exposure?.kind ?? "none"} onChange={(event) => set({ exposure: event.target.value === "ingress" || event.target.value === "load-balancer" ? first[event.target.value] : undefined })}>
          <option value="none">none</option>
          <option value="load-balancer">an internal load balancer</option>
          <option value="ingress">an internal Ingress, OCR paths only</option>
        </Select>
      </Field>
      {exposure?.kind === "load-balancer" && (
        <Field label="Load balancer class" hint="The cloud's own when left empty.">
          <Input mono value={exposure.loadBalancerClass ?? ""} onChange={(event) => set({ exposure: { ...exposure, loadBalancerClass: event.target.value || undefined } })} />
        </Field>
      )}
      {exposure?.kind === "ingress" && (
        <>
          <Field label="Host">
            <Input mono value={exposure.host} onChange={(event) => set({ exposure: { ...exposure, host: event.target.value } })} />
          </Field>
          <Field label="Ingress class" hint={needsClass ? "The internal one of this cluster." : "The cloud's own internal one when left empty."}>
            <Input mono value={exposure.className ?? ""} onChange={(event) => set({ exposure: { ...exposure, className: event.target.value || undefined } })} />
          </Field>
          <Field label="Namespace of its controller" hint="The network policy lets it in.">
            <Input mono value={exposure.controllerNamespace ?? ""} onChange={(event) => set({ exposure: { ...exposure, controllerNamespace: event.target.value || undefined } })} />
          </Field>
          <Field label="Secret with its certificate" hint="Without one it answers unencrypted.">
            <Input mono value={exposure.tlsSecret ?? ""} onChange={(event) => set({ exposure: { ...exposure, tlsSecret: event.target.value || undefined } })} />
          </Field>
        </>
      )}
    </fieldset>
  );
}
