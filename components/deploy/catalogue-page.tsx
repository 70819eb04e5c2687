"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import type { Input as InputOf } from "@/lib/client/api";
import { useActor, useRead, useWrite } from "@/lib/client/hooks";
import { AddedImage, AddedModel, AddedSku } from "@/lib/domain/catalog-added";
import { can } from "@/lib/domain/policy";
import { imageFields, imageOf, modelFields, modelOf, skuFields, skuOf } from "./addition-fields";
import { AdditionForm } from "./addition-form";

type Kind = InputOf<"catalog.remove">["kind"];

/** What this installation adds to the catalogue that Lectern ships: sizes, models, and the releases of engines. */
export function CataloguePage() {
  const actor = useActor();
  const { data, error, refetch } = useRead("catalog.get", {});
  if (error) return <Page><ErrorState problem={error} onRetry={() => void refetch()} /></Page>;
  if (!data || !actor) return <Page><LoadingPanels count={3} /></Page>;
  const mayManage = can(actor, "portal.manage", null);
  const { skus, models, images } = data.additions;
  return (
    <Page>
      <PageHeader title="Catalogue of this installation" sentence="GPU sizes, models and engine releases beside those that Lectern ships. Each change stands on the audit trail." back={<Link href="/deploy">Deploy</Link>} />
      {!mayManage && <Notice title="Only an owner of the portal may change the catalogue." />}
      <Panel title="Engine releases" description="Pinned by digest; they count for every new revision that names no other release.">
        <Rows kind="image" rows={images.map((image) => ({ id: image.engine, text: image.tag }))} mayManage={mayManage} />
        {mayManage && <AdditionForm title="Choose release" fields={imageFields} schema={AddedImage} build={imageOf} wrap={(image) => ({ kind: "image", image: image as AddedImage })} />}
      </Panel>
      <Panel title="GPU sizes" description="A size has no price until one is entered with its source, under Costs.">
        <Rows kind="sku" rows={skus.map((sku) => ({ id: sku.id, text: `${sku.instanceType ?? "own node"}, ${sku.gpuCount} × ${sku.gpuId}` }))} mayManage={mayManage} />
        {mayManage && <AdditionForm title="Add size" fields={skuFields} schema={AddedSku} build={skuOf} wrap={(sku) => ({ kind: "sku", sku: sku as AddedSku })} />}
      </Panel>
      <Panel title="Models" description="Figures of a model decide what fits: take them from its card, and name the card.">
        <Rows kind="model" rows={models.map((model) => ({ id: model.id, text: `${model.hfId}, ${model.weightsGb} GB` }))} mayManage={mayManage} />
        {mayManage && <AdditionForm title="Add model" fields={modelFields} schema={AddedModel} build={modelOf} wrap={(model) => ({ kind: "model", model: model as AddedModel })} />}
      </Panel>
    </Page>
  );
}

type Row = { id: string; text: string };

function Rows({ kind, rows, mayManage }: { kind: Kind; rows: Row[]; mayManage: boolean }) {
  const remove = useWrite("catalog.remove", ["catalog"]);
  if (rows.length === 0) return <p className="mb-4 text-sm text-muted-foreground">None yet: what Lectern ships counts.</p>;
  return (
    <div className="mb-4 grid gap-3">
      {remove.error && <Notice tone="failed" title={remove.error.message} />}
      <ul className="divide-y divide-border rounded-lg border">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-2 px-3 py-2">
            <span className="grid gap-0.5">
              <span className="font-mono text-sm break-all">{row.id}</span>
              <span className="text-sm break-all text-muted-foreground">{row.text}</span>
            </span>
            {mayManage && (
              <Button size="sm" pending={remove.isPending && remove.variables?.id === row.id} onClick={() => remove.mutate({ kind, id: row.id })} aria-label={`Take ${row.id} out`}>
                Take out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
