import { expect } from "vitest";

/** Waits until what `look` sees is as expected; generous, as test machines are busy. */
export function eventually<T>(look: () => T | Promise<T>, timeout = 10_000) {
  return expect.poll(look, { timeout, interval: 20 });
}
