import { memo } from "react";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import type { WhatIf } from "@/lib/domain/cost-whatif";
import type { PriceBook } from "@/lib/domain/price-book";
import { formatShare } from "@/lib/domain/cost-format";
import { fullName, managedOffers } from "@/lib/domain/price-offers";
import { WhatIfField } from "./what-if-field";

export type MixFieldsProps = Pick<WhatIf, "apis"> & { book: PriceBook; set: (changes: Partial<WhatIf>) => void };
type Part = WhatIf["apis"][number][number];

/** The first API as a mix: features with their shares of the pages. Features of the same page have 1 each. */
export const MixFields = memo(function MixFields({ apis, book, set }: MixFieldsProps) {
  const [parts = [], ...others] = apis;
  const offers = managedOffers(book);
  const store = (next: Part[]) => set({ apis: [next, ...others] });
  const change = (index: number, part: Partial<Part>) => store(parts.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-medium">Features of the first API</legend>
      {parts.map((part, index) => (
        <div key={index} className="grid gap-2 border-b pb-3 last:border-b-0">
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
            <Field label={`Feature ${index + 1}`}>
              <Select value={part.offerId} onChange={(event) => change(index, { offerId: event.target.value })}>
                {offers.map((offer) => (
                  <option key={offer.id} value={offer.id}>
                    {fullName(offer)}
                  </option>
                ))}
              </Select>
            </Field>
            <Button size="sm" onClick={() => store(parts.filter((_, at) => at !== index))} disabledReason={parts.length === 1 ? "One feature stays." : null}>
              Remove
            </Button>
          </div>
          <WhatIfField label={`Share of the pages with feature ${index + 1}`} value={part.share} range={{ min: 0, max: 1, step: 0.01 }} words={formatShare(part.share)} onChange={(share) => Number(share) <= 1 && change(index, { share })} />
        </div>
      ))}
      <Button size="sm" className="w-fit" onClick={() => store([...parts, { offerId: offers[0]?.id ?? "", share: "1" }])} disabledReason={parts.length >= 6 ? "Six features are the most." : null}>
        Add a feature
      </Button>
    </fieldset>
  );
});
