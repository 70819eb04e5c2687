import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseCostCases, solveCase } from "./cost-case";
import cases from "./fixtures/cost-cases.json";

const [first] = cases;
const { expect: _answer, ...question } = cases[9]!;

function run(content: string) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "cost-")), "cases.json");
  writeFileSync(file, content);
  return spawnSync(process.execPath, ["--import", "tsx", "scripts/cost-solve.ts", file], { encoding: "utf8" });
}

describe("cases without an answer", () => {
  it("lists both costs at page 0, around crossings and boundaries, and at the limit", () => {
    const pages = parseCostCases([question]).flatMap((parsed) => solveCase(parsed).at.map((row) => row.pages));
    expect(pages).toEqual(expect.arrayContaining([0, 391_669, 391_670, 657_000, 657_001, 1_000_000, 1_000_001, 12_000_000]));
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
  });

  it("answers a search over billions of nodes at once, where one side has long won", () => {
    const [solved] = parseCostCases([{ ...question, search_up_to: Number.MAX_SAFE_INTEGER }]).map(solveCase);
    expect(solved?.crossings).toEqual(cases[9]?.expect.crossings);
    expect(solved?.at.at(-1)?.pages).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("takes the pages that at_pages names", () => {
    const solved = parseCostCases([{ ...question, at_pages: [7, 3] }]).map(solveCase);
    expect(solved[0]?.at.map((row) => row.pages)).toEqual([7, 3]);
  });
});

describe("bad input", () => {
  it.each([
    ["not an array", { cases: [] }, "The file must hold a JSON array of cases."],
    ["a float for money", [{ ...question, self_host: { ...question.self_host, hourly: 0.8 } }], /^Case 1 \(B10\): self_host\.hourly: /],
    ["an unknown field", [{ ...question, api: { ...question.api, discount: "1" } }], /^Case 1 \(B10\): api: .*discount/],
    ["a negative volume", [{ ...question, search_up_to: -1 }], /search_up_to: must not be negative/],
    [
      "falling tiers",
      [
        {
          ...question,
          api: {
            ...question.api,
            tiers: [
              { up_to: 9, per_1000: "1" },
              { up_to: 9, per_1000: "1" },
              { up_to: null, per_1000: "1" },
            ],
          },
        },
      ],
      /up_to must rise/,
    ],
    [
      "no last tier",
      [first, { ...question, id: "X", api: { ...question.api, tiers: [{ up_to: 9, per_1000: "1" }] } }],
      /^Case 2 \(X\): api\.tiers: only the last tier/,
    ],
    ["half a rate", [{ ...question, self_host: { ...question.self_host, utilisation: null } }], /must be given with pages_per_second/],
  ])("%s is refused with the place and the reason", (_name, value, message) => expect(() => parseCostCases(value)).toThrow(message));
});

describe("the command", () => {
  it("prints the same array with the answers filled in", () => {
    const bare = cases.map(({ expect: { at }, ...rest }) => ({ ...rest, at_pages: at.map((row) => row.pages) }));
    const printed: unknown = JSON.parse(run(JSON.stringify(bare)).stdout);
    expect(printed).toEqual(bare.map((row, index) => ({ ...row, expect: cases[index]?.expect })));
  });

  it.each([
    ["{", /is not valid JSON/],
    ["[{}]", /^Case 1: api: /],
  ])("fails on %j with one sentence", (content, message) => {
    const { status, stdout, stderr } = run(content);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it("explains itself", () =>
    expect(execFileSync(process.execPath, ["--import", "tsx", "scripts/cost-solve.ts", "--help"], { encoding: "utf8" })).toMatch(
      /at_pages/,
    ));
});
