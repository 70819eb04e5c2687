export type Loose = { [key: string]: unknown };

export function asRecord(value: unknown): Loose {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function asList(value: unknown): Loose[] {
  return isList(value) ? value.map(asRecord) : [];
}
