import { formatCount, formatMoney, formatPages, type MoneyText } from "./cost-format";
import type { ApiCost, CostReport, Outcome, Unpriced } from "./cost-report-schema";

/** One clause of the sentence on the cost page; each kind is one branch of what can be known. */
export type SentencePart =
  | { kind: "nothing_logged"; month: string; isRunning: boolean }
  | { kind: "no_node_hours"; month: string; isRunning: boolean; pages: number }
  | { kind: "unpriced"; things: Unpriced[] }
  | { kind: "no_rate"; month: string; isRunning: boolean; pages: number; self: MoneyText[]; api: MoneyText; apiName: string }
  | { kind: "so_far"; month: string; isRunning: boolean; pages: number; self: MoneyText; api: MoneyText | null; apiName: string | null }
  | { kind: "outcome"; isForecast: boolean; outcome: Outcome; difference: MoneyText; apiName: string }
  | { kind: "forecast_weak"; reason: "too_early" | "gaps" | "nothing_logged"; daysWithData: number; daysElapsed: number }
  | { kind: "wins_from"; firstPage: number }
  | { kind: "flips"; count: number; from: number; to: number; finally: "self" | "api" | "unknown" }
  | { kind: "one_side"; cheaper: "self" | "api" | "tie"; upTo: number | null; apiName: string };

/** The clauses for a report, compared with the first chosen API. */
export function sentenceParts(report: CostReport): SentencePart[] {
  const when = { month: report.month.name, isRunning: report.month.isRunning };
  const [api] = report.apis;
  if (report.pages === 0 && report.self.lines.length === 0) return [{ kind: "nothing_logged", ...when }, ...breakEvenParts(api)];
  const unpriced = [...report.self.unpriced, ...(api?.unpriced ? [{ name: api.fullName, reason: api.unpriced }] : [])];
  const named: SentencePart[] = unpriced.length > 0 ? [{ kind: "unpriced", things: unpriced }] : [];
  if (report.self.lines.length === 0) return [{ kind: "no_node_hours", ...when, pages: report.pages }, ...named, ...breakEvenParts(api)];
  if (report.self.unpriced.length > 0) return named;
  const { total } = report.self;
  if (!total || (api?.soFar && !api.converted)) {
    const shared = { ...when, pages: report.pages, self: report.self.sums };
    return api?.soFar ? [{ kind: "no_rate", ...shared, api: api.soFar, apiName: api.name }] : named;
  }
  const soFar: SentencePart = {
    kind: "so_far",
    ...when,
    pages: report.pages,
    self: total,
    api: api?.converted ?? null,
    apiName: api?.name ?? null,
  };
  return [soFar, ...named, ...outcomeParts(report, api), ...breakEvenParts(api)];
}

function outcomeParts(report: CostReport, api: ApiCost | undefined): SentencePart[] {
  if (report.forecast.state === "weak") return [{ kind: "forecast_weak", reason: report.forecast.reason, ...report.coverage }];
  const isForecast = report.forecast.state === "made";
  const result = isForecast ? api?.comparison.forecast : api?.comparison.soFar;
  return result && api ? [{ kind: "outcome", isForecast, ...result, apiName: api.name }] : [];
}

function breakEvenParts(api: ApiCost | undefined): SentencePart[] {
  const found = api?.breakEven;
  if (!api || !found) return [];
  const [first, ...more] = found.crossings;
  const last = found.intervals.at(-1);
  if (!first) return [{ kind: "one_side", cheaper: last?.cheaper ?? "tie", upTo: last?.to ?? null, apiName: api.name }];
  if (more.length === 0 && first.cheaper === "self") return [{ kind: "wins_from", firstPage: first.firstPage }];
  const { verdict } = found.beyond;
  const to = more.at(-1)?.firstPage ?? first.firstPage;
  return [
    {
      kind: "flips",
      count: found.crossings.length,
      from: first.firstPage,
      to,
      finally: verdict === "self" || verdict === "api" ? verdict : "unknown",
    },
  ];
}

/** A piece of the sentence with its weight on the page. */
export type SentenceSpan = { text: string; tone: "plain" | "cheaper" | "dearer" | "quiet" };

/** The sentence in pieces that a page may colour; joined, they are the sentence. */
export function sentenceSpans(report: CostReport): SentenceSpan[] {
  const parts = sentenceParts(report);
  const tailAt = parts.findIndex(isTail);
  return parts.map((part, index) => {
    const text = index === tailAt ? capitalised(partText(part)) : partText(part);
    const isLast = index === parts.length - 1;
    return { text: `${text}${isTail(part) && !isLast ? ";" : "."}${isLast ? "" : " "}`, tone: toneOf(part) };
  });
}

/** "In November so far, 212 480 pages cost …": the page's first sentence, from the same numbers as the chart. */
export function costSentence(report: CostReport): string {
  return sentenceSpans(report)
    .map((span) => span.text)
    .join("");
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function toneOf(part: SentencePart): SentenceSpan["tone"] {
  if (part.kind === "outcome") return part.outcome === "tie" ? "plain" : part.outcome;
  return part.kind === "forecast_weak" ? "quiet" : "plain";
}

/** The clauses that end the paragraph, joined by semicolons. */
function isTail(part: SentencePart): boolean {
  return ["outcome", "forecast_weak", "wins_from", "flips", "one_side"].includes(part.kind);
}

/** One clause in words, without its full stop. */
export function partText(part: SentencePart): string {
  switch (part.kind) {
    case "nothing_logged":
      return `${within(part)} no pages and no node hours are logged`;
    case "no_node_hours":
      return `${within(part)} ${formatPages(part.pages)} ${part.pages === 1 ? "was" : "were"} read, but no node hours are logged, so there is no cost of your own to compare`;
    case "unpriced":
      return `${part.things.map(({ name, reason }) => `${name} is unpriced: ${reason}`).join("; ")}. It is left out of every total until it has a price`;
    case "no_rate":
      return `${within(part)} ${formatPages(part.pages)} cost ${part.self.map((money) => formatMoney(money)).join(" and ")} on your GPUs and would have cost ${formatMoney(part.api)} at ${part.apiName}; without an exchange rate the two are not compared`;
    case "so_far":
      return soFarText(part);
    case "outcome":
      return outcomeText(part);
    case "forecast_weak":
      return weakText(part);
    case "wins_from":
      return `self-hosting wins from ${formatPages(part.firstPage)} a month`;
    case "flips":
      return flipsText(part);
    case "one_side":
      return oneSideText(part);
  }
}

type Of<K extends SentencePart["kind"]> = Extract<SentencePart, { kind: K }>;

function within({ month, isRunning }: { month: string; isRunning: boolean }): string {
  return isRunning ? `In ${month} so far,` : `In ${month},`;
}

function soFarText(part: Of<"so_far">): string {
  const api = part.api && part.apiName ? `; ${part.apiName} would have charged ${formatMoney(part.api)}` : "";
  if (part.pages === 0) return `${within(part)} no pages were read and your GPUs cost ${formatMoney(part.self)}`;
  return `${within(part)} ${formatPages(part.pages)} cost ${formatMoney(part.self)} on your GPUs${api}`;
}

function outcomeText({ isForecast, outcome, difference, apiName }: Of<"outcome">): string {
  const when = isForecast ? "at this pace the month ends" : "the month ended";
  if (outcome === "tie") return `${when} level with ${apiName}`;
  return `${when} ${formatMoney(difference)} ${outcome} than ${apiName}`;
}

function weakText({ reason, daysWithData, daysElapsed }: Of<"forecast_weak">): string {
  if (reason === "too_early") return "it is too early in the month for a forecast";
  if (reason === "nothing_logged") return "without pages there is no forecast";
  return `only ${daysWithData} of ${daysElapsed} days have data, too few for a forecast`;
}

function flipsText({ count, from, to, finally: last }: Of<"flips">): string {
  const times =
    count === 1
      ? `the cheaper side changes at ${formatPages(from)} a month`
      : `the cheaper side changes ${count} times between ${formatCount(from)} and ${formatPages(to)} a month`;
  if (last === "unknown") return times;
  return `${times}, ${last === "self" ? "self-hosting" : "the API"} is cheaper beyond`;
}

function oneSideText({ cheaper, upTo, apiName }: Of<"one_side">): string {
  const reach = upTo === null ? "at any volume" : `up to ${formatPages(upTo)} a month`;
  if (cheaper === "tie") return `self-hosting and ${apiName} cost the same ${reach}`;
  return cheaper === "self" ? `self-hosting is cheaper ${reach}` : `${apiName} is cheaper ${reach}`;
}
