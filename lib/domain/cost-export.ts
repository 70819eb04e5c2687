import { cents, exactOf } from "./cost-format";
import type { CostReport } from "./cost-report-schema";
import { writeCsv } from "./csv";
import { exact, floor, multiply, subtract, toDecimal, type Exact } from "./money";

type Cell = string | number | null;

const HEAD: Cell[] = ["section", "item", "pages", "hours", "amount", "currency", "note", "source", "read on"];

/**
 * Amounts in cents whose sum is the total in cents, as shown: what rounding leaves over goes to the lines that lost most by it.
 * Amounts are decimal strings of zero or more.
 */
export function centsThatSum(amounts: string[], total: string): string[] {
  const hundred = exact(100);
  const parts = amounts.map((amount) => multiply(exact(amount), hundred));
  const downs = parts.map((part) => floor(part));
  const lost = parts.map((part, index) => subtract(part, { n: downs[index] ?? 0n, d: 1n }));
  let missing = Number(multiply(exact(cents(total)), hundred).n - downs.reduce((sum, down) => sum + down, 0n));
  const order = lost.map((_, index) => index).sort((a, b) => compareLoss(lost[b], lost[a]));
  for (const index of order) {
    if (missing <= 0) break;
    downs[index] = (downs[index] ?? 0n) + 1n;
    missing -= 1;
  }
  return downs.map((down) => toDecimal({ n: down, d: 100n }, 2));
}

function compareLoss(a: Exact | undefined, b: Exact | undefined): number {
  if (!a || !b) return 0;
  const difference = a.n * b.d - b.n * a.d;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** The report as rows: what the page shows, cell by cell, with its sources. */
export function exportRows(report: CostReport, about: { environment: string; sentence: string; timeZone: string }): Cell[][] {
  return [
    HEAD,
    ["about", `${report.month.label}, ${about.environment}`, report.pages, null, null, report.currency, about.sentence, `months begin at midnight in ${about.timeZone}`, null],
    ...selfRows(report),
    ...report.apis.map((api): Cell[] => ["managed API", api.fullName, report.pages, null, api.converted ? cents(api.converted.amount) : null, api.converted?.currency ?? null, api.unpriced ? `unpriced: ${api.unpriced}` : null, null, null]),
    ...intervalRows(report),
    ...report.days.flatMap(({ day, pages, costs }) => Object.entries(costs).map(([id, cost]): Cell[] => ["to the end of the day", `${day} ${id}`, pages, null, cost === null ? null : cents(cost), report.currency, null, null, null])),
    ...report.prices.map((price): Cell[] => ["price", price.name, null, null, null, null, `${price.price}${price.isEstimate ? ", estimated" : ""}`, price.source, price.asOf]),
    ...report.rates.map((rate): Cell[] => ["rate", `${rate.quote} for one ${rate.base}`, null, null, rate.rate, rate.quote, null, rate.source, rate.date]),
  ];
}

function selfRows({ self, currency, pages }: CostReport): Cell[][] {
  const inTotal = self.lines.filter((line) => line.use === "held" || self.kept?.isCounted);
  const isOneCurrency = inTotal.every((line) => line.cost?.currency === currency);
  const shown = self.total && isOneCurrency ? centsThatSum(inTotal.map((line) => line.cost?.amount ?? "0"), self.total.amount) : inTotal.map((line) => (line.cost ? cents(line.cost.amount) : null));
  const lines = inTotal.map((line, index): Cell[] => ["your GPUs", line.name, null, line.hours, shown[index] ?? null, line.cost?.currency ?? null, line.unpriced ? `unpriced: ${line.unpriced}` : line.use === "kept" ? "kept without a pod" : null, null, null]);
  const total: Cell[] = ["your GPUs, total", "", pages, self.hours, self.total ? cents(self.total.amount) : null, self.total ? currency : null, self.unpriced.length > 0 ? "not complete: something is unpriced" : null, null, null];
  const idle: Cell[][] = self.idle ? [["of it idle", "", null, self.idle.hours, cents(self.idle.cost.amount), currency, null, null, null]] : [];
  const kept: Cell[][] = self.kept && !self.kept.isCounted ? [["kept without a pod, not in the total", "", null, self.kept.hours, self.kept.cost && cents(self.kept.cost.amount), self.kept.cost?.currency ?? null, null, null, null]] : [];
  return [...lines, total, ...idle, ...kept];
}

function intervalRows({ apis }: CostReport): Cell[][] {
  return apis.flatMap((api) => (api.breakEven?.intervals ?? []).map(({ from, to, cheaper }): Cell[] => ["cheaper side", api.fullName, from, null, null, null, `${cheaper === "self" ? "your GPUs" : cheaper === "api" ? api.name : "tie"} ${to === null ? "from here on" : `to ${to} pages`}`, null, null]));
}

/** The file for a spreadsheet. */
export function exportCsv(report: CostReport, about: { environment: string; sentence: string; timeZone: string }): string {
  return writeCsv(exportRows(report, about));
}

/** The sum of the lines of the self-host side in a file, in cents: for tests that hold a file to the screen. */
export function sumOfLines(rows: Cell[][]): string {
  const amounts = rows.filter((row) => row[0] === "your GPUs").map((row) => exactOf({ amount: String(row[4] ?? "0"), currency: "" }));
  return toDecimal(amounts.reduce((sum, one) => ({ n: sum.n * one.d + one.n * sum.d, d: sum.d * one.d }), exact(0)), 2);
}
