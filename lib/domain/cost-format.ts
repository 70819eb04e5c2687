import { exact, toDecimal, type Exact } from "./money";

/** Money as it travels: a decimal string (may be negative, up to nine places) with its ISO code. */
export type MoneyText = { amount: string; currency: string };

/** Between groups of digits, and between a number and its unit; neither breaks across lines. */
const THIN = "\u202f";
const SPACE = "\u00a0";

/** Digits in groups of three: "391 670", "1 175.01". */
export function grouped(decimal: string): string {
  const [whole = "", fraction] = decimal.split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return fraction === undefined ? text : `${text}.${fraction}`;
}

/** Reads a money text back, sign included. */
export function exactOf(money: MoneyText): Exact {
  const isNegative = money.amount.startsWith("-");
  const size = exact(isNegative ? money.amount.slice(1) : money.amount);
  return isNegative ? { n: -size.n, d: size.d } : size;
}

/** An exact amount as it travels, to the nano-unit. */
export function moneyText(value: Exact, currency: string): MoneyText {
  return { amount: toDecimal(value, 9), currency };
}

/** "1175.01": half up to the cent. */
export function cents(amount: string): string {
  return toDecimal(exactOf({ amount, currency: "" }), 2);
}

/** "1 175.01 USD"; cents unless told otherwise. What is too small for that is said to be, and is never a zero: "< 0.01 USD". */
export function formatMoney(money: MoneyText, places = 2): string {
  const value = exactOf(money);
  const text = toDecimal(value, places);
  if (value.n === 0n || /[1-9]/.test(text)) return `${grouped(text).replace("-", "−")}${SPACE}${money.currency}`;
  const least = toDecimal({ n: 1n, d: 10n ** BigInt(places) }, places);
  return `${value.n < 0n ? `> −${least}` : `< ${least}`}${SPACE}${money.currency}`;
}

/** "391 670". */
export function formatCount(count: number): string {
  return grouped(String(count));
}

/** "391 670 pages", "1 page". */
export function formatPages(count: number): string {
  return `${formatCount(count)}${SPACE}${count === 1 ? "page" : "pages"}`;
}

/** "0.88 USD per 1 000 pages", or a dash where it has no value (at 0 pages). */
export function formatPer1000(price: MoneyText | null): string {
  return price ? `${formatMoney(price)} per 1${THIN}000${SPACE}pages` : "–";
}

/** "770.75 h". */
export function formatHours(hours: string): string {
  return `${grouped(hours)}${SPACE}h`;
}

/** "38 %" from a share given as a decimal string. */
export function formatShare(share: string): string {
  return `${toDecimal({ n: exact(share).n * 100n, d: exact(share).d }, 0)}${SPACE}%`;
}
