import { DomainError } from "./errors";

/** An exact fraction n/d in lowest or unreduced terms, d > 0. Money and rates are never binary floats. */
export type Exact = { readonly n: bigint; readonly d: bigint };

export const ZERO: Exact = { n: 0n, d: 1n };
export const ONE: Exact = { n: 1n, d: 1n };

/** A plain decimal of zero or more, as prices are published: "0.8048", "1500". */
export const DECIMAL = /^\d{1,24}(\.\d{1,24})?$/;

const EXACT_IN_A_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) {
    if (x <= EXACT_IN_A_NUMBER && y <= EXACT_IN_A_NUMBER) return BigInt(gcdOfNumbers(Number(x), Number(y)));
    [x, y] = [y, x % y];
  }
  return x;
}

/** The same for numbers that a float holds exactly: many times faster. */
function gcdOfNumbers(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** The least common multiple of two positive whole numbers. */
export function lcm(a: bigint, b: bigint): bigint {
  return a % b === 0n ? a : (a / gcd(a, b)) * b;
}

/** n/d in lowest terms. Throws when d is zero. */
export function ratio(n: bigint, d: bigint): Exact {
  if (d === 0n)
    throw new DomainError("unprocessable", "An amount was divided by zero: check that no rate, share or number of months is 0.");
  if (d === 1n) return { n, d };
  const shared = gcd(n, d < 0n ? -d : d) || 1n;
  return d < 0n ? { n: -n / shared, d: -d / shared } : { n: n / shared, d: d / shared };
}

/** Reads a decimal string, or a whole number. Throws `invalid_input` for anything else: no exponents, signs or separators. */
export function exact(value: string | number | bigint): Exact {
  if (typeof value === "bigint") return { n: value, d: 1n };
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value))
      throw new DomainError("invalid_input", `${value} is not a whole number: write fractions as decimal strings.`);
    return { n: BigInt(value), d: 1n };
  }
  if (!DECIMAL.test(value))
    throw new DomainError("invalid_input", `"${value}" is not a decimal amount: write it like "0.8048", without signs or separators.`);
  const [whole = "0", fraction = ""] = value.split(".");
  return ratio(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

export function add(a: Exact, b: Exact): Exact {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  return ratio(a.n * b.d + b.n * a.d, a.d * b.d);
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, { n: -b.n, d: b.d });
}

export function multiply(a: Exact, b: Exact): Exact {
  return ratio(a.n * b.n, a.d * b.d);
}

/** a / b. Throws when b is zero. */
export function divide(a: Exact, b: Exact): Exact {
  return ratio(a.n * b.d, a.d * b.n);
}

export function sum(values: Exact[]): Exact {
  return values.reduce(add, ZERO);
}

/** −1, 0 or 1: the order of the unrounded values. */
export function compare(a: Exact, b: Exact): -1 | 0 | 1 {
  return signOf(a.n * b.d - b.n * a.d);
}

export function max(a: Exact, b: Exact): Exact {
  return compare(a, b) < 0 ? b : a;
}

export function signOf(value: bigint): -1 | 0 | 1 {
  if (value === 0n) return 0;
  return value < 0n ? -1 : 1;
}

/** Floor of n/d for d > 0; BigInt division alone rounds towards zero. */
export function floorDiv(n: bigint, d: bigint): bigint {
  const quotient = n / d;
  return n < 0n && n % d !== 0n ? quotient - 1n : quotient;
}

export function floor(value: Exact): bigint {
  return floorDiv(value.n, value.d);
}

export function ceil(value: Exact): bigint {
  return -floorDiv(-value.n, value.d);
}

/** The value with a fixed number of places, half rounded away from zero. For display and for the wire, never for comparing. */
export function toDecimal(value: Exact, places: number): string {
  const scale = 10n ** BigInt(places);
  const size = value.n < 0n ? -value.n : value.n;
  const rounded = floorDiv(2n * size * scale + value.d, 2n * value.d);
  const digits = rounded.toString().padStart(places + 1, "0");
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return value.n < 0n && rounded !== 0n ? `-${text}` : text;
}

/** A float near the value: only for drawing. */
export function toNumber(value: Exact): number {
  return Number(toDecimal(value, 9));
}

/** Whole pages as a number. Throws when they exceed what a number holds exactly. */
export function toPages(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new DomainError("unprocessable", "The page count is too large to be shown exactly: lower the search limit.");
  return Number(value);
}
