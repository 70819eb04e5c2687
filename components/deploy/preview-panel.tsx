"use client";

import { Figure, Figures } from "@/components/ui/figure";
import { formatMoney } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { ChangeView } from "./change-view";
import { ExplainedYaml } from "./explained-yaml";
import { FitPanel } from "./fit-panel";
import { PaysOffLines } from "./pays-off";
import type { DeployForm } from "./use-deploy-form";
import type { Preview } from "./use-preview";

const HOURS_A_MONTH = 730;

function Price({ price }: Pick<DeployForm, "price">) {
  if (price.state === "unpriced") {
    return <Notice tone="warning" title={`${price.name} has no price`}>Costs will name this node as unpriced: {price.reason}.</Notice>;
  }
  const perHour = Number(price.perHour);
  return (
    <Figures>
      <Figure label="Per hour" value={formatMoney(perHour, price.currency, 4)} note={`${price.region}, on demand, as of ${price.asOf}`} />
      <Figure
        label="Per month, always on"
        value={formatMoney(perHour * HOURS_A_MONTH, price.currency)}
        note={
          <>
            {HOURS_A_MONTH} h · <a className="underline underline-offset-2" href={price.source} rel="noreferrer" target="_blank">source of the price</a>
          </>
        }
      />
    </Figures>
  );
}

/** What will be created, beside the form: fit, price, changes, manifests. */
export function PreviewPanel({ form, preview, title }: { form: DeployForm; preview: Preview; title: string }) {
  return (
    <Panel title={title} description="The server applies exactly this, and refuses if it would be anything else.">
      <div className="grid gap-5">
        <Price price={form.price} />
        <PaysOffLines skuId={form.sku.id} modelId={form.model.id} replicas={form.spec?.replicas ?? 1} book={form.book} />
        <FitPanel fit={form.fit} sku={form.sku} model={form.model} />
        {preview.answer && <ChangeView preview={preview} answer={preview.answer} />}
        {form.yaml ? (
          <ExplainedYaml yaml={form.yaml} />
        ) : (
          <Notice title="Give a valid name and an environment to see the manifests." />
        )}
      </div>
    </Panel>
  );
}
