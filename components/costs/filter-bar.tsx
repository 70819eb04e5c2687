"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Popover } from "@/components/ui/popover";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import type { UrlState } from "@/lib/client/url-state";

export type FilterBarProps = { view: Output<"costs.report">; url: UrlState };

const MOST_APIS = 4;

/** Where, when and what of the page; all of it lives in the address. */
export function FilterBar({ view, url }: FilterBarProps) {
  const environments = useRead("environments.list", {}).data?.environments ?? [];
  const { environmentId } = view;
  const deployments = useRead("deployments.list", environmentId === null ? {} : { environmentId }, { enabled: environmentId !== null }).data?.deployments ?? [];
  const place = environments.find((one) => one.id === view.environmentId);
  const goTo = (slug: string) => url.set(slug === "" ? { all: "1", deployment: undefined } : { all: undefined, env: slug, deployment: undefined });
  return (
    <div className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap print:hidden">
      <Choice label="Environment" value={place?.slug ?? ""} onChoose={goTo} none="All environments" options={environments.map((one) => [one.slug, one.name])} />
      <Field label="Month" className="sm:w-40">
        <Input type="month" value={view.report.month.key} onChange={(event) => /^\d{4}-\d{2}$/.test(event.target.value) && url.set({ month: event.target.value })} />
      </Field>
      {view.environmentId && <Choice label="Deployment" value={url.get("deployment") ?? ""} onChoose={(deployment) => url.set({ deployment })} none="All deployments" options={deployments.map((one) => [one.id, one.name])} />}
      <Choice label="Model" value={url.get("model") ?? ""} onChoose={(model) => url.set({ model })} none="All models" options={withChosen(view.models, url.get("model"))} />
      <Choice label="Node size" value={url.get("sku") ?? ""} onChoose={(sku) => url.set({ sku })} none="All sizes" options={withChosen(view.skus, url.get("sku"))} />
      <Choice label="Read through" value={url.get("feature") ?? ""} onChoose={(feature) => url.set({ feature })} none="All of Lectern" options={FEATURES} />
      <ApiPicker view={view} url={url} />
    </div>
  );
}

const FEATURES: [string, string][] = [
  ["playground", "Playground"],
  ["batch", "Batches"],
  ["gateway", "Gateway"],
  ["import", "Imported files"],
];

/** What is chosen stays in the list, also where this month has none of it. */
function withChosen(ids: string[], chosen: string | undefined): [string, string][] {
  return [...new Set([...ids, ...(chosen ? [chosen] : [])])].map((id) => [id, id]);
}

type ChoiceProps = { label: string; value: string; none: string; options: [string, string][]; onChoose: (value: string) => void };

function Choice({ label, value, none, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} className="sm:w-36">
      <Select value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{none}</option>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function ApiPicker({ view, url }: FilterBarProps) {
  const chosen = view.report.apis.map((api) => api.id);
  const toggle = (id: string, isOn: boolean) => url.set({ apis: (isOn ? [...chosen, id] : chosen.filter((one) => one !== id)).join(",") });
  return (
    <Popover trigger={<Button>Compared with {chosen.length} {chosen.length === 1 ? "API" : "APIs"}</Button>} label="Managed APIs to compare with" className="max-h-96 w-96 max-w-[calc(100vw-2rem)] overflow-y-auto">
      <fieldset className="grid gap-1.5">
        <legend className="pb-2 text-sm text-muted-foreground">Up to {MOST_APIS}; the sentence names the first.</legend>
        {view.offers.map((offer) => {
          const isOn = chosen.includes(offer.id);
          const isLocked = isOn ? chosen.length === 1 : chosen.length >= MOST_APIS;
          return <Checkbox key={offer.id} label={offer.name} checked={isOn} disabled={isLocked} onChange={(event) => toggle(offer.id, event.target.checked)} />;
        })}
      </fieldset>
    </Popover>
  );
}
