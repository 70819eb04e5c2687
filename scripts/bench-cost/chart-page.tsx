import { useState } from "react";
import { createRoot } from "react-dom/client";
import { BreakEvenChart } from "@/components/costs/break-even-chart";
import { costReport } from "@/lib/domain/cost-report";
import { solveWhatIf, whatIfOf } from "@/lib/domain/cost-whatif";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { DEFAULT_OFFER_IDS } from "@/lib/domain/price-offers";
import { newestRate } from "@/lib/domain/price-rate";

const book = defaultPriceBook();
const node = { skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const, seconds: 1_000_000 };
const report = costReport({ month: "2026-11", now: Date.UTC(2026, 10, 20), pages: 300_000, daysWithData: 19, nodes: [node], book, offerIds: DEFAULT_OFFER_IDS, model: "LightOnOCR-3-0.8B" });
const start = whatIfOf(report, DEFAULT_OFFER_IDS, newestRate(book));

/** The slider and the chart of the cost page, solved anew at each change as there. */
function Drag() {
  const [pages, setPages] = useState(100_000);
  if (!start) return null;
  const { chart } = solveWhatIf({ ...start, pages }, book);
  return (
    <main style={{ width: 900 }}>
      <input aria-label="Pages a month" type="range" min={0} max={4_000_000} step={1000} value={pages} onChange={(event) => setPages(Number(event.target.value))} />
      <BreakEvenChart chart={chart} />
    </main>
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(<Drag />);

/** Milliseconds from each change of the slider to the frame that shows it; the first ten warm up. */
async function measureDrag(changes: number): Promise<number[]> {
  const slider = document.querySelector("input");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const found: number[] = [];
  for (let at = 0; at < changes; at += 1) {
    await frame();
    const begun = performance.now();
    set?.call(slider, String(100_000 + at * 37_000));
    slider?.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    if (at >= 10) found.push(performance.now() - begun);
  }
  return found;
}

Object.assign(window, { measureDrag });
