import "server-only";

const pattern = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const binary: Record<string, number> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 };
const decimal: Record<string, number> = { n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };

/** The number that a quantity such as `12Gi` or `500m` stands for; undefined when it is not a quantity. */
export function quantityValue(text: string | number): number | undefined {
  const match = pattern.exec(String(text));
  if (!match) return undefined;
  const [, digits = "", suffix = ""] = match;
  const scale = binary[suffix] ?? decimal[suffix] ?? (/^[eE][-+]?\d+$/.test(suffix) ? 10 ** Number(suffix.slice(1)) : undefined);
  const number = Number(digits);
  return scale === undefined || Number.isNaN(number) ? undefined : number * scale;
}

/** The spelling that the API gives back: `0.5` becomes `500m`, `1000m` becomes `1`; other spellings stay. */
export function canonicalQuantity(text: string | number): string {
  const spelling = String(text);
  const value = quantityValue(spelling);
  if (value === undefined) return spelling;
  const suffix = spelling.replace(/^[+-]?[0-9.]+/, "");
  const fraction = /\./.test(spelling);
  if (suffix === "m" && Number.isInteger(value)) return String(value);
  if (!fraction) return spelling;
  if (binary[suffix] !== undefined) return Number.isInteger(value) ? wholeBinary(value) : `${Math.ceil(value * 1000)}m`;
  return Number.isInteger(value) ? String(value) : `${Math.ceil(value * 1000)}m`;
}

function wholeBinary(value: number): string {
  const fitting = Object.entries(binary)
    .reverse()
    .find(([, scale]) => Number.isInteger(value / scale));
  return fitting ? `${value / fitting[1]}${fitting[0]}` : String(value);
}

export function sumQuantities(values: (string | undefined)[]): number {
  return values.reduce((sum, value) => sum + (value === undefined ? 0 : (quantityValue(value) ?? 0)), 0);
}
