import { expect, it } from "vitest";
import { cpuMillis, formatCpu, formatMemory, memoryMib, parseQuantity } from "./quantity";

it.each([
  ["3920m", 3.92],
  ["10Gi", 10 * 2 ** 30],
  ["1e3", 1000],
  ["2E", 2e18],
  ["1.5k", 1500],
  ["0", 0],
  ["500u", 0.0005],
])("reads %s", (text, value) => {
  expect(parseQuantity(text)).toBeCloseTo(value, 9);
});

it.each(["", "Gi", "1 Gi", "1gi", "0x10", "1e", "--1"])("refuses %j", (text) => {
  expect(() => parseQuantity(text)).toThrow("no quantity");
});

it("converts both ways", () => {
  expect([cpuMillis("4"), memoryMib("13498Mi"), memoryMib("16374524Ki")]).toEqual([4000, 13498, 15990]);
  expect([formatCpu(3000), formatCpu(2500), formatMemory(10240), formatMemory(1000)]).toEqual(["3", "2500m", "10Gi", "1000Mi"]);
});
