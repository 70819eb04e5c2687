import { formatMoney as formatExact } from "@/lib/domain/cost-format";

const thinSpace = "\u202f";
const space = "\u00a0";
/** Shown where a value is not known; a missing value is never a zero. */
export const unknownValue = "–";

type Digits = { digits?: number; minDigits?: number };

/** "391 670" with narrow no-break spaces between the groups; at most `digits` decimals (default 0), at least `minDigits`. */
export function formatNumber(value: number | null | undefined, { digits = 0, minDigits = 0 }: Digits = {}): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknownValue;
  const parts = new Intl.NumberFormat("en", {
    maximumFractionDigits: Math.max(digits, minDigits),
    minimumFractionDigits: minDigits,
  }).formatToParts(value);
  return parts.map((part) => (part.type === "group" ? thinSpace : part.type === "minusSign" ? "−" : part.value)).join("");
}

/**
 * "411.20 USD", written as lib/domain/cost-format.ts writes all money. Two decimals; below one unit as many as keep two significant
 * figures ("0.0015 USD"); `digits` overrides. The amount is in whole units of the currency.
 */
export function formatMoney(amount: number | null | undefined, currency = "USD", digits?: number): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return unknownValue;
  const size = Math.abs(amount);
  const places = digits ?? (size === 0 || size >= 0.1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(size))));
  return formatExact({ amount: amount.toFixed(Math.max(9, places)), currency }, places);
}

/** A share from 0 to 1 as "38 %". */
export function formatPercent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return unknownValue;
  return `${formatNumber(share * 100, { digits })}${space}%`;
}

const binary = ["B", "KiB", "MiB", "GiB", "TiB"];
const decimal = ["B", "kB", "MB", "GB", "TB"];

/** "14.2 GiB"; memory is counted in 1024 (`binary`, the default), files and transfers in 1000 (`decimal`). */
export function formatBytes(bytes: number | null | undefined, system: "binary" | "decimal" = "binary"): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return unknownValue;
  const [units, base] = system === "binary" ? [binary, 1024] : [decimal, 1000];
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(Math.abs(bytes)) / Math.log(base)));
  const value = bytes / base ** power;
  return `${formatNumber(value, { digits: power > 0 && Math.abs(value) < 100 ? 1 : 0 })}${space}${units[power]}`;
}

/** "2:10" under an hour, "3 h 40 min" under two days, then "5 d 3 h". */
export function formatDuration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds)) return unknownValue;
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  if (hours < 48) return `${hours}${space}h${space}${minutes % 60}${space}min`;
  return `${Math.floor(hours / 24)}${space}d${space}${hours % 24}${space}h`;
}

/** "3 min ago", "in 2 h", "just now"; `now` in milliseconds since the epoch. */
export function formatRelative(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return "just now";
  const [unit, per] = size < 3600 ? (["min", 60] as const) : size < 86_400 ? (["h", 3600] as const) : (["d", 86_400] as const);
  const words = `${formatNumber(Math.max(1, Math.round(size / per)))}${space}${unit}`;
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}

/** "14:02" on the day of `now`, else "28 Nov 14:02"; the viewer's zone unless one is given. */
export function formatClock(at: Date, now: number, timeZone?: string): string {
  const day = (date: Date) => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(date);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(at);
  if (day(at) === day(new Date(now))) return clock;
  return `${new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short" }).format(at)} ${clock}`;
}

/** "28 Nov 2026, 14:02:11 CET". */
export function formatDateTime(at: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(at);
}

/** "28 Nov 2026". */
export function formatDate(at: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" }).format(at);
}

/** "1 page", "12 pages"; the plural adds an s unless given. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
