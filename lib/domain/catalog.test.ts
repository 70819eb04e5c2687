import { describe, expect, it } from "vitest";
import { modelById, models, skuById, skus } from "./catalog";
import { imageReference } from "./catalog-model";
import { findTrap, skuTraps } from "./catalog-trap";

describe("models", () => {
  it.each(models.map((model) => [model.id, model] as const))("%s has KV bytes that follow from its layers", (_, model) => {
    // Keys and values, two bytes each.
    expect(model.kv.bytesPerToken).toBe(2 * model.kv.layers * model.kv.heads * model.kv.headDim * 2);
    expect(model.maxModelLen).toBeLessThanOrEqual(model.contextTokens);
  });

  it("pins an image that can load the model", () => {
    expect(models.map((model) => [model.id, imageReference(model.image), model.image.pythonPackages])).toEqual([
      ["lightonocr-3-0.8b", "vllm/vllm-openai:v0.30.0", []],
      ["lightonocr-3-1b", "vllm/vllm-openai:v0.30.0", ["transformers==5.16.1"]],
      ["lightonocr-3-4b", "vllm/vllm-openai:v0.30.0", []],
    ]);
    expect(imageReference({ ...modelById("lightonocr-3-4b").image, digest: `sha256:${"a".repeat(64)}` })).toBe(
      `vllm/vllm-openai:v0.30.0@sha256:${"a".repeat(64)}`,
    );
  });

  it("labels what was not measured", () => {
    const guessed = models.flatMap((model) => model.speeds.filter((speed) => speed.basis.includes("Estimate")));
    expect(guessed.length).toBeGreaterThan(0);
    expect(guessed.every((speed) => speed.estimated)).toBe(true);
  });
});

describe("sizes", () => {
  const priced = [
    "aws-g6-xlarge",
    "aws-g5-xlarge",
    "aws-g6e-xlarge",
    "aws-p4d-24xlarge",
    "aws-p4de-24xlarge",
    "aws-p5-4xlarge",
    "aws-p5-48xlarge",
    "gcp-g2-standard-4",
    "gcp-a2-highgpu-1g",
    "gcp-a3-highgpu-1g",
    "azure-nv36ads-a10-v5",
    "azure-nc24ads-a100-v4",
    "azure-nc40ads-h100-v5",
    "scaleway-l4-1-24g",
    "scaleway-l40s-1-48g",
    "scaleway-h100-1-80g",
  ];

  it("has every size of the price book and no id twice", () => {
    expect(priced.filter((id) => !skus.some((sku) => sku.id === id))).toEqual([]);
    expect(new Set(skus.map((sku) => sku.id)).size).toBe(skus.length);
  });

  it.each([
    ["aws-g6-xlarge", 3920, 14162],
    ["aws-g6-2xlarge", 7910, 29317],
    ["gcp-g2-standard-4", 3920, 13182],
    ["azure-nc4as-t4-v3", 3860, 25852],
  ])("%s leaves %i millicores and %i MiB to pods", (id, cpuMillis, memoryMib) => {
    expect(skuById(id).allocatable).toMatchObject({ cpuMillis, memoryMib });
  });

  it("reads gigabytes as the driver does", () => {
    expect(skuById("aws-g6-xlarge").gpuMemoryMib).toBe(22888);
    expect(skuById("aws-g6e-xlarge").gpuMemoryMib).toBe(45776);
  });

  it("finds nodes by the label of each cloud", () => {
    expect(skuById("gcp-g2-standard-4").placement.nodeSelector).toEqual({ "cloud.google.com/gke-accelerator": "nvidia-l4" });
    expect(skuById("aws-g6-xlarge").placement.nodeSelector).toEqual({ "node.kubernetes.io/instance-type": "g6.xlarge" });
    expect(skuById("azure-nv36ads-a10-v5").placement.tolerations.map((toleration) => toleration.key)).toEqual(["nvidia.com/gpu", "sku"]);
    expect(skuById("own-l4").placement.requirements.map((requirement) => requirement.operator)).toEqual(["In", "Gt"]);
    expect(skus.filter((sku) => Object.keys(sku.placement.nodeSelector).length === 0 && sku.placement.requirements.length === 0)).toEqual(
      [],
    );
  });

  it("says not found for an unknown id", () => {
    expect(() => skuById("aws-g6f-large")).toThrow("no such GPU size");
    expect(() => modelById("gpt")).toThrow("no such model");
  });
});

describe("traps", () => {
  it.each([
    ["azure", "Standard_NV12ads_A10_v5", "1/3"],
    ["azure", "Standard_NC8ads_A10_v4", "half a card"],
    ["azure", "Standard_NC24lds_xl_RTXPRO6000BSE_v6", "slices"],
    ["aws", "g6f.xlarge", "1/4"],
    ["aws", "gr6f.4xlarge", "L4"],
    ["aws", "g5g.xlarge", "ARM"],
    ["scaleway", "RENDER-S", "6.0"],
  ] as const)("refuses %s %s", (cloud, size, reason) => {
    expect(findTrap(cloud, size)?.reason).toContain(reason);
  });

  it("refuses no size of the catalogue, and names real ones instead", () => {
    expect(skus.filter((sku) => sku.instanceType !== null && findTrap(sku.cloud, sku.instanceType))).toEqual([]);
    for (const trap of skuTraps) if (trap.instead !== null) expect(skuById(trap.instead).cloud).toBe(trap.cloud);
  });
});
