"use client";

import { Badge } from "@/components/ui/badge";
import { formatMoney } from "@/components/ui/format";
import { RadioTiles, Segmented } from "@/components/ui/segmented";
import { skuById, type Sku } from "@/lib/domain/catalog";
import type { Model } from "@/lib/domain/catalog-model";
import { fits } from "@/lib/domain/fit";
import type { PriceBook } from "@/lib/domain/price-book";
import { priceOfSku } from "@/lib/domain/sku-price";
import { CLOUDS, skusOf } from "./use-deploy-form";

type GpuPickerProps = { model: Model; book: PriceBook; value: string; onChange: (skuId: string) => void };

function PriceFigure({ skuId, book }: { skuId: string; book: PriceBook }) {
  const price = priceOfSku(skuId, book);
  if (price.state === "unpriced") return <span className="text-sm text-muted-foreground">no price</span>;
  return (
    <span title={`${price.region}, on demand, as of ${price.asOf}. Source: ${price.source}`}>
      {formatMoney(Number(price.perHour), price.currency)}
      <span className="text-sm text-muted-foreground">/h</span>
    </span>
  );
}

function describe(sku: Sku, model: Model, book: PriceBook) {
  const fit = fits(model, sku);
  const blocker = fit.reasons.find((reason) => reason.level === "blocker");
  const hasWarning = fit.reasons.some((reason) => reason.level === "warning");
  return {
    value: sku.id,
    title: sku.name,
    figure: <PriceFigure skuId={sku.id} book={book} />,
    description: `${sku.gpuCount > 1 ? `${sku.gpuCount} × ` : ""}${sku.gpu.name}, ${sku.gpu.memoryGb} GB`,
    disabledReason: blocker?.text ?? null,
    badges: hasWarning && !blocker ? <Badge tone="warning">with a warning</Badge> : undefined,
  };
}

export function GpuPicker({ model, book, value, onChange }: GpuPickerProps) {
  const cloud = skuById(value).cloud;
  const firstThatFits = (wanted: string) => {
    const sizes = skusOf(wanted as typeof cloud, book); // the values come from CLOUDS
    return (sizes.find((sku) => fits(model, sku).ok) ?? sizes[0])?.id ?? value;
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">GPU node</legend>
      <Segmented label="Cloud" value={cloud} onChange={(next) => onChange(firstThatFits(next))} options={CLOUDS} />
      <div className="-mx-1 max-h-64 overflow-y-auto rounded-lg p-1">
        <RadioTiles label="GPU node" value={value} onChange={onChange} options={skusOf(cloud, book).map((sku) => describe(sku, model, book))} className="grid-cols-1 sm:grid-cols-2 lg:grid-cols-2" />
      </div>
    </fieldset>
  );
}
