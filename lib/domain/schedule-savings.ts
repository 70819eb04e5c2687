/** From–to in epoch ms, `to` exclusive. */
export type Span = { from: number; to: number };
export type PaidSpan = Span & { share: number };
/** Hours of one node. `kept`: paid all the same, because a node stayed. */
export type Saved = { asleepHours: number; keptHours: number; savedHours: number };

const HOUR_MS = 3_600_000;

/**
 * What a sleep really saved: the node hours that its replicas would have used, less those that were paid meanwhile. A stopped pod on a node
 * that stays saves nothing. `share` is the part of a node that one replica uses.
 */
export function savedIn(sleep: Span & { replicas: number; share: number }, { paid, within }: { paid: readonly PaidSpan[]; within: Span }): Saved {
  const span = overlap(sleep, within);
  if (!span) return { asleepHours: 0, keptHours: 0, savedHours: 0 };
  const asleepHours = ((span.to - span.from) / HOUR_MS) * sleep.replicas * sleep.share;
  const paidHours = paid.reduce((sum, one) => sum + hoursOf(overlap(one, span)) * Math.min(one.share, sleep.share), 0);
  const keptHours = Math.min(paidHours, asleepHours);
  return { asleepHours, keptHours, savedHours: asleepHours - keptHours };
}

function hoursOf(span: Span | null): number {
  return span ? (span.to - span.from) / HOUR_MS : 0;
}

function overlap(one: Span, other: Span): Span | null {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return to > from ? { from, to } : null;
}

/** The sums in words, with what was not saved said first among the buts. */
export function savedSentence({ asleepHours, keptHours, savedHours }: Saved, money: string): string {
  if (asleepHours === 0) return "Nothing slept this month.";
  const saved = `${savedHours.toFixed(1)} node hours were not paid${money === "" ? "" : `, which would have been ${money}`}.`;
  if (keptHours < 0.05) return saved;
  return `${saved} ${keptHours.toFixed(1)} h of sleep were paid all the same: the node stayed after its pod had gone. Let the node pool go down to 0 to save them.`;
}
