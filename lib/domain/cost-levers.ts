import { convert } from "./cost/currency";
import { selfHostCost } from "./cost/self-host";
import { formatMoney, formatPages, moneyText, type MoneyText } from "./cost-format";
import { whatIfSelf, type WhatIf } from "./cost-whatif";
import { whatIfApis } from "./cost-whatif-apis";
import { DomainError } from "./errors";
import { compare, exact, subtract, toDecimal, type Exact } from "./money";
import { modeWords, nodePrice, sku, type PriceBook, type Sku } from "./price-book";

/** One change alone and what it would save in the month; `changes` are the inputs that it sets, null where it leaves self-hosting. */
export type Lever = { id: string; title: string; note: string | null; saves: MoneyText; costs: MoneyText; changes: Partial<WhatIf> | null };
type Idea = Pick<Lever, "id" | "title" | "note"> & { changes: Partial<WhatIf> };

/** Office hours: 12 h on 22 days. */
const OFFICE_HOURS = "264";

/** Every single change that makes the month cheaper, the largest saving first. A saving never exceeds what the month costs. */
export function levers(input: WhatIf, book: PriceBook): Lever[] {
  const now = selfHostCost(whatIfSelf(input), input.pages);
  const own = [...runningIdeas(input), ...priceIdeas(input, book)].flatMap((idea) => {
    const cost = costWith({ ...input, ...idea.changes });
    return cost ? [{ ...idea, cost }] : [];
  });
  const away = whatIfApis(input, { book, fleet: whatIfSelf(input), self: now }).flatMap(({ cost }) =>
    cost.converted ? [{ id: `api ${cost.id}`, title: `Send the pages to ${cost.fullName}`, note: "leaves your cluster", changes: null, cost: exact(cost.converted.amount) }] : [],
  );
  const found = [...own, ...away].filter(({ cost }) => compare(cost, now) < 0);
  found.sort((a, b) => compare(a.cost, b.cost));
  return found.map(({ cost, ...lever }) => ({ ...lever, saves: moneyText(subtract(now, cost), input.currency), costs: moneyText(cost, input.currency) }));
}

/** What a changed what-if costs; null when it has no answer. */
function costWith(input: WhatIf): Exact | null {
  try {
    return selfHostCost(whatIfSelf(input), input.pages);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function runningIdeas(input: WhatIf): Idea[] {
  const isAlwaysOn = input.way === "nodes";
  const ideas: (Idea & { isOpen: boolean })[] = [
    { isOpen: isAlwaysOn && Number(input.hours) > Number(OFFICE_HOURS), id: "office", title: "Stop outside office hours", note: "264 h a month: 12 h on 22 days", changes: { hours: OFFICE_HOURS } },
    { isOpen: isAlwaysOn && input.pagesPerSecond !== null, id: "zero", title: "Scale to zero between batches", note: `${input.startupHours} h of start-up a month; the first page waits`, changes: { way: "scale_to_zero" } },
    { isOpen: isAlwaysOn && input.minNodes > 1, id: "one", title: `Keep one node instead of ${input.minNodes}`, note: "no spare when it fails", changes: { minNodes: 1 } },
    { isOpen: Number(input.utilisation) < 0.8, id: "fill", title: "Fill the nodes to 80 %", note: "batches instead of peaks", changes: { utilisation: "0.8" } },
    { isOpen: Number(input.engineeringHours) > 0, id: "time", title: "Halve the engineering hours", note: null, changes: { engineeringHours: halved(input.engineeringHours) } },
  ];
  return ideas.flatMap(({ isOpen, ...idea }) => (isOpen ? [idea] : []));
}

function halved(hours: string): string {
  return toDecimal({ n: exact(hours).n, d: 2n * exact(hours).d }, 2);
}

/** The cheapest price of each kind: the same node bought otherwise, the same GPU elsewhere. */
function priceIdeas(input: WhatIf, book: PriceBook): Idea[] {
  const own = sku(book, input.skuId);
  if (!own) return [];
  const same = book.gpu_skus.filter((one) => one.gpu === own.gpu && one.gpu_count === own.gpu_count);
  const offers = same.flatMap((one) => offersOf(one, input, book));
  const groups: [string, (one: NodeOffer) => boolean][] = [
    ["spot", (one) => one.skuId === own.id && one.mode === "spot"],
    ["commit", (one) => one.skuId === own.id && one.mode.startsWith("commit")],
    ["region", (one) => one.skuId === own.id && one.mode === input.mode && one.region !== input.region],
    ["vendor", (one) => one.skuId !== own.id && one.mode === input.mode],
  ];
  return groups.flatMap(([id, isIn]) => {
    const [best] = offers.filter(isIn).sort((a, b) => compare(a.perHour, b.perHour));
    return best ? [ideaOf(id, best, input)] : [];
  });
}

type NodeOffer = { skuId: string; title: string; region: string; mode: WhatIf["mode"]; perHour: Exact };

function offersOf({ id, sku: title, prices }: Sku, input: WhatIf, book: PriceBook): NodeOffer[] {
  const places = [...new Map(prices.map(({ region, mode }) => [`${region} ${mode}`, { region, mode }])).values()];
  return places.flatMap(({ region, mode }) => {
    const price = nodePrice(book, { skuId: id, region, mode });
    const perHour = price.state === "priced" ? convert(exact(price.perHour), { from: price.currency, to: input.currency }, input.rate) : null;
    return perHour ? [{ skuId: id, title, region, mode, perHour }] : [];
  });
}

function ideaOf(id: string, { skuId, title, region, mode, perHour }: NodeOffer, input: WhatIf): Idea {
  const amount = toDecimal(perHour, 9);
  const note = mode === "spot" ? "a sample of the market, not a fixed price; nodes may be taken away" : mode.startsWith("commit") ? "paid with the node off, too" : null;
  const words = `${title} in ${region}, ${modeWords(mode)}, at ${formatMoney({ amount, currency: input.currency }, 4)} an hour`;
  // A commitment is paid for the whole month, whatever the schedule.
  return { id: `${id} ${skuId} ${region} ${mode}`, title: words, note, changes: { skuId, region, mode, perHour: amount, ...(mode.startsWith("commit") ? { hours: "730" } : {}) } };
}

/** "Stop outside office hours saves 374.98 USD of 587.50 USD at 212 480 pages". */
export function leverWords({ title, saves }: Lever, input: WhatIf): string {
  return `${title} saves ${formatMoney(saves)} at ${formatPages(input.pages)} a month`;
}
