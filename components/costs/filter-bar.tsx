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

/** Month, APIs and deployment of the page; all of it lives in the address. */
export function FilterBar({ view, url }: FilterBarProps) {
  const deployments = useRead("deployments.list", {}).data?.deployments.filter((one) => one.environmentId === view.environmentId) ?? [];
  return (
    <div className="flex flex-wrap items-end gap-3 print:hidden">
      <Field label="Month" className="w-44">
        <Input type="month" value={view.report.month.key} onChange={(event) => /^\d{4}-\d{2}$/.test(event.target.value) && url.set({ month: event.target.value })} />
      </Field>
      <Field label="Deployment" className="w-52">
        <Select value={url.get("deployment") ?? ""} onChange={(event) => url.set({ deployment: event.target.value })}>
          <option value="">All deployments</option>
          {deployments.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Read through" className="w-44">
        <Select value={url.get("feature") ?? ""} onChange={(event) => url.set({ feature: event.target.value })}>
          <option value="">All of Lectern</option>
          <option value="playground">Playground</option>
          <option value="batch">Batches</option>
          <option value="gateway">Gateway</option>
          <option value="import">Imported files</option>
        </Select>
      </Field>
      <ApiPicker view={view} url={url} />
    </div>
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
