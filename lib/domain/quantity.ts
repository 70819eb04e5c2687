import { DomainError } from "./errors";

const factors: Record<string, number> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a Kubernetes quantity such as `3920m`, `10Gi` or `1e3` stands for. Throws DomainError `invalid_input`. */
export function parseQuantity(text: string): number {
  const match = /^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(text);
  if (!match) throw new DomainError("invalid_input", `"${text.slice(0, 40)}" is no quantity: write it like 500m, 3 or 10Gi.`);
  return Number(`${match[1]}${match[2] ?? ""}`) * (factors[match[3] ?? ""] ?? 1);
}

/** Thousandths of a CPU. */
export function cpuMillis(text: string): number {
  return Math.round(parseQuantity(text) * 1000);
}

/** Whole MiB, rounded down. */
export function memoryMib(text: string): number {
  return Math.floor(parseQuantity(text) / 2 ** 20);
}

/** Millicores as a quantity: whole CPUs without a suffix. */
export function formatCpu(millis: number): string {
  return millis % 1000 === 0 ? String(millis / 1000) : `${millis}m`;
}

/** MiB as a quantity: whole GiB where it comes out even. */
export function formatMemory(mib: number): string {
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}
