import { memo, useMemo } from "react";
import { Field, Select } from "@/components/ui/field";
import { formatMoney } from "@/lib/domain/cost-format";
import { convert } from "@/lib/domain/cost/currency";
import type { WhatIf } from "@/lib/domain/cost-whatif";
import { exact, toDecimal } from "@/lib/domain/money";
import { modeWords, nodePrice, type PriceBook } from "@/lib/domain/price-book";

export type NodePickerProps = { input: WhatIf; book: PriceBook; onPick: (changes: Partial<WhatIf>) => void };

/** A node of the price book with its place and its purchase mode, at the listed price. */
export function NodePicker({ input, book, onPick }: NodePickerProps) {
  const { currency, rate } = input;
  const choices = useMemo(() => choicesOf({ currency, rate }, book), [currency, rate, book]);
  return <Choice choices={choices} chosen={`${input.skuId} ${input.region} ${input.mode}`} onPick={onPick} />;
}

type Choices = ReturnType<typeof choicesOf>;

const Choice = memo(function Choice({ choices, chosen, onPick }: { choices: Choices; chosen: string; onPick: NodePickerProps["onPick"] }) {
  return (
    <Field label="Node" hint="Sets the price per node-hour to the listed one.">
      <Select
        value={choices.some((one) => one.key === chosen) ? chosen : ""}
        onChange={(event) => {
          const choice = choices.find((one) => one.key === event.target.value);
          if (choice) onPick(choice.changes);
        }}
      >
        <option value="" disabled>
          {chosen}
        </option>
        {choices.map(({ key, words }) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  );
});

function choicesOf(input: Pick<WhatIf, "currency" | "rate">, book: PriceBook) {
  return book.gpu_skus.flatMap((sku) => {
    const places = new Map(sku.prices.map(({ region, mode }) => [`${sku.id} ${region} ${mode}`, { region, mode }]));
    return [...places].flatMap(([key, { region, mode }]) => {
      const price = nodePrice(book, { skuId: sku.id, region, mode });
      const perHour = price.state === "priced" ? convert(exact(price.perHour), { from: price.currency, to: input.currency }, input.rate) : null;
      if (!perHour || price.state !== "priced") return [];
      const words = `${sku.sku}, ${sku.gpu}, ${region}, ${modeWords(mode)}: ${formatMoney({ amount: price.perHour, currency: price.currency }, 4)}`;
      const amount = toDecimal(perHour, 9).replace(/\.?0+$/, "");
      return [{ key, words, changes: { skuId: sku.id, region, mode, perHour: amount } satisfies Partial<WhatIf> }];
    });
  });
}
