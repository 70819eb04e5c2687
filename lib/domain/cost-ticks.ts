const MOST_TICKS = 5;

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`; 2.5 only where it is whole. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factors = power >= 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10];
  // The tolerance keeps an edge that was rounded once from moving again by a float's last digit.
  return factors.map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** The end of an axis that must reach `value` > 0: a round number. */
export function roundEdge(value: number): number {
  const step = niceStep(value / MOST_TICKS);
  return Math.ceil(value / step) * step;
}

/** Evenly spaced round numbers from 0 to an edge made by `roundEdge`. */
export function axisTicks(edge: number): number[] {
  const step = niceStep(edge / MOST_TICKS);
  return Array.from({ length: Math.round(edge / step) + 1 }, (_, index) => index * step);
}
