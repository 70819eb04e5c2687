import { describe, expect, it } from "vitest";
import { modelById, models, skuById, skus } from "./catalog";
import { fits } from "./fit";

const fit = (model: string, sku: string, options = {}) => fits(modelById(`lightonocr-3-${model}`), skuById(sku), options);

describe("does it run", () => {
  it.each([
    ["0.8b", "aws-g6-xlarge", true, []],
    ["1b", "aws-g6-xlarge", true, []],
    ["4b", "aws-g6-xlarge", true, []],
    ["4b", "gcp-g2-standard-4", true, []],
    ["0.8b", "aws-g4dn-xlarge", true, ["warning: NVIDIA T4 has no bf16"]],
    ["1b", "gcp-n1-standard-4-t4", true, ["warning: NVIDIA T4 has no bf16"]],
    ["4b", "azure-nc4as-t4-v3", false, ["blocker: NVIDIA T4 has no bf16"]],
    ["0.8b", "aws-p4d-24xlarge", true, ["warning: This size has 8 GPUs and the model uses one: 7 stay idle"]],
    ["4b", "azure-nd96isr-h200-v5", true, ["warning: This size has 8 GPUs and the model uses one: 7 stay idle"]],
    ["0.8b", "own-l4", true, ["warning: CPU and memory of your own node"]],
  ] as const)("%s on %s: %s", (...[model, sku, ok, expected]) => {
    const result = fit(model, sku);
    expect(result.ok).toBe(ok);
    expect(result.reasons).toHaveLength(expected.length);
    expected.forEach((text, index) => expect(`${result.reasons[index]?.level}: ${result.reasons[index]?.text}`).toContain(text));
  });

  it("refuses a card of 8 GB for the 4B and says how much it lacks", () => {
    const slice = { ...skuById("own-a10"), gpuMemoryMib: 8192 };
    const result = fits(modelById("lightonocr-3-4b"), slice);
    expect(result.reasons.find((reason) => reason.level === "blocker")?.text).toMatch(
      /needs about \d+ MiB of GPU memory for 8 pages; 7372 MiB are usable/,
    );
  });

  it("leaves the 4B room for few pages on a 16 GB card with bf16", () => {
    const card = { ...skuById("own-a10"), gpuMemoryMib: 15258 };
    const result = fits(modelById("lightonocr-3-4b"), card, { pagesAtOnce: 32 });
    expect(result.ok).toBe(true);
    expect(result.vram.pagesMax).toBe(18);
    expect(result.reasons.map((reason) => reason.text).join()).toContain("About 18 pages run at once");
  });

  it("refuses traps with what to take instead", () => {
    const slice = { ...skuById("azure-nv36ads-a10-v5"), instanceType: "Standard_NV12ads_A10_v5" };
    expect(fits(modelById("lightonocr-3-0.8b"), slice).reasons[0]).toEqual({
      level: "blocker",
      text: expect.stringContaining("Choose azure-nv36ads-a10-v5 instead"),
    });
  });

  it("refuses more context than the model knows, and warns about too little", () => {
    expect(fit("1b", "aws-g6-xlarge", { maxModelLen: 18000 }).ok).toBe(false);
    expect(fit("0.8b", "aws-g6-xlarge", { maxModelLen: 4096 }).reasons[0]?.level).toBe("warning");
  });

  it("refuses a length of which not one request fits", () => {
    const card = { ...skuById("own-a10"), gpuMemoryMib: 5200 };
    expect(fits(modelById("lightonocr-3-1b"), card).reasons.some((reason) => reason.text.includes("lower the maximum length"))).toBe(true);
  });

  it("warns that no spot GPU is known at Scaleway", () => {
    expect(fit("0.8b", "scaleway-l4-1-24g", { spot: true }).reasons.map((reason) => reason.level)).toEqual(["warning"]);
    expect(fit("0.8b", "aws-g6-xlarge", { spot: true }).reasons).toEqual([]);
  });
});

describe("GPU memory", () => {
  it("adds up to what vLLM may use", () => {
    for (const model of models) {
      for (const sku of skus.filter((each) => fits(model, each).ok)) {
        const { vram } = fits(model, sku);
        expect(vram.terms.reduce((sum, term) => sum + term.mib, 0)).toBe(vram.usableMib);
      }
    }
  });

  it("shows the 1B's KV cost: about eight times the 0.8B per page, three times the 4B", () => {
    const kv = (model: string) => fit(model, "aws-g6-xlarge").vram.terms.find((term) => term.id === "kv");
    const [small, one, four] = [kv("0.8b")?.mib ?? 0, kv("1b")?.mib ?? 0, kv("4b")?.mib ?? 0];
    expect(one / small).toBeGreaterThan(7.5);
    expect(one / four).toBeGreaterThan(2.8);
    expect(kv("1b")?.explanation).toContain("nine times");
    expect(kv("4b")?.explanation).not.toContain("nine times");
  });
});

describe("CPU and memory", () => {
  it.each([
    ["aws-g6-xlarge", 3000, 10240],
    ["gcp-g2-standard-4", 3000, 10240],
    ["gcp-n1-standard-4-t4", 3000, 10240],
    ["azure-nv36ads-a10-v5", 4000, 16384],
    ["scaleway-l4-1-24g", 4000, 16384],
  ])("%s: asks for %i millicores and %i MiB", (sku, cpuMillis, memoryMib) => {
    expect(fit("0.8b", sku).requests).toMatchObject({ cpuMillis, memoryMib, fits: true });
  });

  it("never asks for more than a node leaves", () => {
    for (const sku of skus) {
      const { requests } = fits(modelById("lightonocr-3-0.8b"), sku);
      if (sku.allocatable === null) continue;
      expect(requests.cpuMillis).toBeLessThanOrEqual(sku.allocatable.cpuMillis - 600);
      expect(requests.memoryMib).toBeLessThanOrEqual(sku.allocatable.memoryMib - 1024);
    }
  });

  it("believes a live node over the table, and refuses one that is too small", () => {
    const full = fit("0.8b", "aws-g6-2xlarge", { allocatable: { cpuMillis: 2000, memoryMib: 7000 } });
    expect(full.requests.basis).toBe("live node");
    expect(full.reasons).toEqual([{ level: "blocker", text: expect.stringContaining("5976 MiB and 1400m CPU") }]);
  });
});
