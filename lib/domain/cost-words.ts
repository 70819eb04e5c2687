import { formatCount, formatPages } from "./cost-format";
import type { Interval, Solution } from "./cost";

/** "from 391 670 to 657 000 pages self-hosting is cheaper". */
export function intervalWords({ from, to, cheaper }: Interval, apiName: string): string {
  const range =
    to === null
      ? `from ${formatPages(from)} on`
      : from === to
        ? `at ${formatPages(from)}`
        : `from ${formatCount(from)} to ${formatPages(to)}`;
  if (cheaper === "tie") return `${range} both cost the same`;
  return `${range} ${cheaper === "self" ? "self-hosting" : apiName} is cheaper`;
}

/** What is known past the last interval, as one sentence. */
export function beyondWords({ beyond, searchedTo }: Pick<Solution, "beyond" | "searchedTo">, apiName: string): string {
  const past = beyond.limit === null ? "" : ` above ${formatPages(beyond.limit)}`;
  switch (beyond.verdict) {
    case "self":
      return `Self-hosting stays cheaper${past}.`;
    case "api":
      return `${apiName} stays cheaper${past}.`;
    case "tie":
      return `Both cost the same${past}.`;
    case "open":
      return `A full node and ${apiName} cost the same per page, so the cheaper side has no end; it was searched to ${formatPages(searchedTo)}.`;
    case "unpriced":
      return `${apiName} publishes no price above ${formatPages(searchedTo)}.`;
  }
}
