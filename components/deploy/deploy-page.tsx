"use client";

import { useSearchParams } from "next/navigation";
import { Field, Input, Select } from "@/components/ui/field";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Empty, LoadingPanels } from "@/components/ui/states";
import { useActor, useRead } from "@/lib/client/hooks";
import { can } from "@/lib/domain/policy";
import { GpuPicker } from "./gpu-picker";
import { ModelPicker } from "./model-picker";
import { DeployButton } from "./deploy-button";
import { PreviewPanel } from "./preview-panel";
import { usePreview } from "./use-preview";
import { defaultDraft, useDeployForm, type DeployForm, type DeployTarget } from "./use-deploy-form";

type DeployPageProps = { deploymentId: string };
type Targets = (DeployTarget & { slug: string; kind: string })[];

/** Development first: the place where a first try belongs. */
function preferred(targets: Targets, wanted: string | null): string {
  return (targets.find((each) => each.slug === wanted) ?? targets.find((each) => each.kind === "development") ?? targets[0])?.id ?? "";
}

export function DeployPage({ deploymentId }: DeployPageProps) {
  const wanted = useSearchParams().get("env");
  const actor = useActor();
  const { data } = useRead("environments.list", {});
  if (!actor || !data) return <Page><LoadingPanels count={2} /></Page>;
  const targets = data.environments.filter((each) => each.cluster && can(actor, "deployment.apply", each.id));
  return (
    <Page>
      <PageHeader title="Deploy" sentence="Choose a model and a GPU node. Everything that will be created is on the right, before it is." />
      {targets.length === 0 ? (
        <Empty title="You may not deploy to any environment yet.">Ask an admin of an environment for the role deployer.</Empty>
      ) : (
        <DeployForms deploymentId={deploymentId} targets={targets} first={preferred(targets, wanted)} />
      )}
    </Page>
  );
}

function DeployForms({ deploymentId, targets, first }: { deploymentId: string; targets: Targets; first: string }) {
  const form = useDeployForm(defaultDraft(first), targets, deploymentId);
  const preview = usePreview(form.spec ? { environmentId: form.draft.environmentId, deploymentId, spec: form.spec } : null);
  const target = targets.find((each) => each.id === form.draft.environmentId);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <Panel title="Choose">
        <div className="grid gap-6">
          <ModelPicker value={form.draft.modelId} sku={form.sku} onChange={(modelId) => form.set({ modelId })} />
          <GpuPicker model={form.model} value={form.draft.skuId} onChange={(skuId) => form.set({ skuId })} />
          <Target form={form} targets={targets} />
          <DeployButton preview={preview} targetName={target?.name ?? "…"} disabledReason={form.nameError} />
        </div>
      </Panel>
      <PreviewPanel form={form} preview={preview} />
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
      <Field label="Name" hint="Also the name of its Service in the cluster." error={form.nameError}>
        <Input mono value={form.draft.name} onChange={(event) => form.set({ name: event.target.value })} autoComplete="off" spellCheck={false} />
      </Field>
    </div>
  );
}
