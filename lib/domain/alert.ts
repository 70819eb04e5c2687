export const ALERT_KINDS = ["not_ready", "truncation", "queue"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What each rule measures, in which unit, and from where to where a threshold makes sense. */
export const ALERT_RULES: Record<AlertKind, { title: string; unit: string; least: number; most: number; usual: number; hint: string }> = {
  not_ready: { title: "Not ready for", unit: "minutes", least: 1, most: 1_440, usual: 30, hint: "While it should run: sleeping is not an alert." },
  truncation: { title: "Truncated pages over", unit: "%", least: 1, most: 100, usual: 5, hint: "Of the last hour's pages, from 20 pages on." },
  queue: { title: "Waiting pages over", unit: "pages", least: 1, most: 100_000, usual: 200, hint: "In the portal and in the engine together." },
};

/** Fewer pages than this say little about a share. */
export const LEAST_PAGES = 20;

export type AlertRule = { kind: AlertKind; threshold: number };
/** What is known of one deployment now; instants in epoch ms. `isAsleep`: it has no replicas, and is not meant to have any. */
export type AlertFacts = { name: string; isAsleep: boolean; isReady: boolean; stateSince: number; message: string; pagesLastHour: number; truncatedLastHour: number; waiting: number };
export type Breach = { kind: AlertKind; sentence: string };

/** The rules that are broken now, each with the sentence that people are told. */
export function breaches(facts: AlertFacts, { rules, now }: { rules: readonly AlertRule[]; now: number }): Breach[] {
  return rules.flatMap(({ kind, threshold }) => {
    const sentence = WORDS[kind](facts, threshold, now);
    return sentence === null ? [] : [{ kind, sentence }];
  });
}

const WORDS: Record<AlertKind, (facts: AlertFacts, threshold: number, now: number) => string | null> = {
  not_ready: ({ name, isAsleep, isReady, stateSince, message }, threshold, now) => {
    const minutes = Math.floor((now - stateSince) / 60_000);
    if (isAsleep || isReady || minutes < threshold) return null;
    return `${name} has not been ready for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.${message === "" ? "" : ` ${message}`}`;
  },
  truncation: ({ name, pagesLastHour, truncatedLastHour }, threshold) => {
    const percent = (100 * truncatedLastHour) / pagesLastHour;
    if (pagesLastHour < LEAST_PAGES || percent <= threshold) return null;
    return `${name} cut off ${truncatedLastHour} of the last hour's ${pagesLastHour} pages (${percent.toFixed(0)} %): their text is not whole. Give it a longer context, or read them at a smaller size.`;
  },
  queue: ({ name, waiting }, threshold) => (waiting <= threshold ? null : `${waiting} pages wait for ${name}. Give it more replicas, or wait until they are read.`),
};
