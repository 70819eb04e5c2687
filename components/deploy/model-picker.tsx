import { formatNumber } from "@/components/ui/format";
import { RadioTiles } from "@/components/ui/segmented";
import { allModels, type Sku } from "@/lib/domain/catalog";
import type { Model } from "@/lib/domain/catalog-model";
import { fits } from "@/lib/domain/fit";

type ModelPickerProps = { value: string; sku: Sku; onChange: (modelId: string) => void };

function describe(model: Model, sku: Sku) {
  const fit = fits(model, sku);
  const score = model.accuracy[0];
  return {
    value: model.id,
    title: model.name.replace("LightOnOCR-3-", ""),
    figure: score ? <span title={`${score.benchmark}, ${score.source}`}>{formatNumber(score.score, { digits: 1, minDigits: 1 })}</span> : undefined,
    description: `${formatNumber(model.weightsGb, { digits: 1, minDigits: 1 })} GB, about ${formatNumber(fit.vram.pagesMax)} pages at once`,
  };
}

/** The three sizes with what decides between them; the page capacity is an estimate for the chosen GPU. */
export function ModelPicker({ value, sku, onChange }: ModelPickerProps) {
  const benchmark = allModels()[0]?.accuracy[0]?.benchmark ?? "the publisher's benchmark";
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">Model size</legend>
      <RadioTiles label="Model size" value={value} onChange={onChange} options={allModels().map((model) => describe(model, sku))} className="sm:grid-cols-3" />
      <p className="text-sm text-muted-foreground">The number is the score on {benchmark}; pages at once are estimated for the chosen GPU.</p>
    </fieldset>
  );
}
