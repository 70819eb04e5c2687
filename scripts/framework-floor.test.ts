import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });
const lock = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

/** Below these, a request can run code on the server: CVE-2025-66478 (Next.js), CVE-2025-55182 (React). */
const FLOORS = { next: [16, 0, 7], react: [19, 2, 1], "react-dom": [19, 2, 1] };

function numbersOf(version: string): number[] {
  return version.split("-")[0]?.split(".").map(Number) ?? [];
}

function isBelow(version: string, floor: number[]): boolean {
  const at = numbersOf(version);
  const index = floor.findIndex((part, place) => part !== at[place]);
  return index >= 0 && (at[index] ?? 0) < (floor[index] ?? 0);
}

it("compares versions by their numbers", () => {
  expect(["16.0.6", "15.9.9", "16.0.7", "16.0.10", "16.4.6"].map((version) => isBelow(version, [16, 0, 7]))).toEqual([true, true, false, false, false]);
});

it.each(Object.entries(FLOORS))("%s is nowhere below its known holes", (name, floor) => {
  const locked = Object.entries(lock.packages).filter(([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`));
  expect(locked.length).toBeGreaterThan(0);
  expect(locked.filter(([, { version }]) => !version || isBelow(version, floor))).toEqual([]);
});
