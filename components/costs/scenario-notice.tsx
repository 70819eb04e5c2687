import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Output } from "@/lib/client/api";
import { currentInputs, priceChanges } from "@/lib/domain/cost-current";
import type { WhatIf } from "@/lib/domain/cost-whatif";
import type { PriceBook } from "@/lib/domain/price-book";

export type ScenarioNoticeProps = {
  scenario: Output<"scenarios.get">;
  /** Today's prices; absent once the scenario shows them. */
  present: PriceBook | undefined;
  onUpdate: (changes: Partial<WhatIf>) => void;
};

/** Which scenario is shown and with whose prices; a frozen one offers today's, and says which changed since. */
export function ScenarioNotice({ scenario: { scenario, frozen }, present, onUpdate }: ScenarioNoticeProps) {
  if (!frozen) return <Notice title={`Scenario ${scenario.name}, by ${scenario.by}`}>Solved with today&apos;s prices: it was not frozen.</Notice>;
  const day = frozen.at.slice(0, 10);
  if (!present) return <Notice title={`Scenario ${scenario.name} with today's prices`}>It was frozen on {day}; its link still shows it as it was then.</Notice>;
  const changes = priceChanges(scenario.inputs, { frozen: frozen.book, present });
  if (changes.length === 0) return <Notice title={`Frozen on ${day}: prices and rates of that day`}>None of them has changed since.</Notice>;
  return (
    <Notice
      tone="warning"
      title={`Frozen on ${day}: ${changes.length === 1 ? "one price has" : `${changes.length} prices have`} changed since`}
      action={<Button onClick={() => onUpdate(currentInputs(scenario.inputs, present))}>Update to current prices</Button>}
    >
      <ul>
        {changes.map(({ what, before, after }) => (
          <li key={what}>
            {what}: {before} → {after}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
