"use client";

import { useMemo } from "react";
import { Field, Input, Select } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import { setCatalogAdditions } from "@/lib/domain/catalog-added";
import type { PriceBook } from "@/lib/domain/price-book";
import { AdvancedOptions } from "./advanced-options";
import { DeployButton } from "./deploy-button";
import { GpuPicker } from "./gpu-picker";
import { ModelPicker } from "./model-picker";
import { Options } from "./options";
import { PreflightLines } from "./preflight-lines";
import { PreviewPanel } from "./preview-panel";
import { useDeployForm, type Changed, type DeployDraft, type DeployForm, type DeployTarget } from "./use-deploy-form";
import { usePreview } from "./use-preview";

export type Targets = (DeployTarget & { slug: string; kind: string })[];
type DeployFormsProps = { changed: Changed; targets: Targets; draft: DeployDraft };

/** The form and, beside it, what it would do. The same for a new deployment and for a change of one. */
export function DeployForms(props: DeployFormsProps) {
  const { data, error, refetch } = useRead("prices.book", {});
  const catalogue = useRead("catalog.get", {});
  const problem = error ?? catalogue.error;
  const additions = catalogue.data?.additions;
  // The form works out everything in the browser: it must know what this installation has added.
  useMemo(() => additions && setCatalogAdditions(additions), [additions]);
  if (problem) return <ErrorState problem={problem} onRetry={() => void Promise.all([refetch(), catalogue.refetch()])} />;
  if (!data || !additions) return <LoadingPanels count={2} />;
  return <PricedForms {...props} book={data.book} />;
}

function PricedForms({ changed, targets, draft, book }: DeployFormsProps & { book: PriceBook }) {
  const form = useDeployForm({ initial: draft, targets, changed, book });
  const isChange = changed.revision > 0;
  const preview = usePreview(form.spec ? { environmentId: form.draft.environmentId, deploymentId: changed.deploymentId, spec: form.spec } : null);
  const target = targets.find((each) => each.id === form.draft.environmentId);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Panel title={isChange ? "Change" : "Choose"}>
        <div className="grid gap-6">
          <ModelPicker value={form.draft.modelId} sku={form.sku} onChange={(modelId) => form.set({ modelId })} />
          <GpuPicker model={form.model} book={book} value={form.draft.skuId} onChange={(skuId) => form.set({ skuId })} />
          {!isChange && <Target form={form} targets={targets} />}
          <Options form={form} />
          <AdvancedOptions form={form} />
          <DeployButton preview={preview} targetName={target?.name ?? "…"} disabledReason={form.firstError} label={isChange ? "Apply" : "Deploy"} />
          {form.spec && <PreflightLines environmentId={form.draft.environmentId} spec={form.spec} />}
        </div>
      </Panel>
      <PreviewPanel form={form} preview={preview} title={isChange ? "What will change" : "What will be created"} />
    </div>
  );
}

function Target({ form, targets }: { form: DeployForm; targets: Targets }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Environment" hint="Where it runs, and whose rights and costs apply.">
        <Select value={form.draft.environmentId} onChange={(event) => form.set({ environmentId: event.target.value })}>
          {targets.map((target) => (
            <option key={target.id} value={target.id}>
              {target.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Name" hint="Also the name of its Service in the cluster." error={form.errorOf("name")}>
        <Input mono value={form.draft.name} onChange={(event) => form.set({ name: event.target.value })} autoComplete="off" spellCheck={false} />
      </Field>
    </div>
  );
}
