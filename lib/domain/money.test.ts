import { describe, expect, it } from "vitest";
import { ceil, compare, divide, exact, floor, multiply, subtract, toDecimal } from "./money";

describe("exact decimals", () => {
  it.each([
    ["0.742916046", 730, "542.32871358", 8],
    ["0.8048", 730, "587.50", 2],
    ["0.1", 3, "0.30", 2],
  ])("%s × %d", (...[price, hours, expected, places]) => expect(toDecimal(multiply(exact(price), exact(hours)), places)).toBe(expected));

  it.each([
    ["0.005", "0.01"],
    ["0.004999", "0.00"],
    ["1.995", "2.00"],
    ["10", "10.00"],
  ])("rounds %s half up to %s", (value, expected) => expect(toDecimal(exact(value), 2)).toBe(expected));

  it("rounds below zero away from it, and shows no negative zero", () => {
    expect(toDecimal(subtract(exact(0), exact("0.005")), 2)).toBe("-0.01");
    expect(toDecimal(subtract(exact(0), exact("0.001")), 2)).toBe("0.00");
  });

  it("floors and ceils on both sides of zero", () => {
    const half = divide(exact(1), exact(2));
    const minusHalf = subtract(exact(0), half);
    expect([floor(half), ceil(half), floor(minusHalf), ceil(minusHalf), floor(exact(2)), ceil(exact(2))]).toEqual([
      0n,
      1n,
      -1n,
      0n,
      2n,
      2n,
    ]);
  });

  it("compares unrounded", () => expect(compare(exact("587.5035"), exact("587.504"))).toBe(-1));

  it.each(["-1", "1e3", "1,5", "", ".5", "NaN"])("refuses %j", (text) => expect(() => exact(text)).toThrow(/not a decimal amount/));
  it("refuses fractions as floats and division by zero", () => {
    expect(() => exact(0.1)).toThrow(/decimal strings/);
    expect(() => divide(exact(1), exact(0))).toThrow(/divided by zero/);
  });
});
