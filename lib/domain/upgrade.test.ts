import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { modelById } from "./catalog";
import { DeploymentSpec } from "./deployment";
import { manifests } from "./manifest";
import { adviceFor, isOlder, runningOf } from "./upgrade";

const spec = (more: object = {}) => DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
const applied = (more: object = {}) => manifests(spec(more), { namespace: "a", environmentId: randomUUID(), deploymentId: randomUUID(), revision: 1, portalNamespace: null });
const { revision } = modelById("lightonocr-3-1b");

it("reads image and weights out of what was applied", () => {
  expect(runningOf(applied())).toEqual({ tag: "v0.30.0", modelRevision: revision });
  expect(runningOf(applied({ imageTag: "v0.27.1" })).tag).toBe("v0.27.1");
  expect(runningOf([])).toEqual({ tag: null, modelRevision: null });
});

describe("advice", () => {
  it.each<[string, string, string, string]>([
    ["a release on which every model loops", "v0.27.1", "urgent", "must not be used"],
    ["a release that does not know the model", "v0.10.2", "urgent", "does not know this model"],
    ["an older release", "v0.28.0", "better", "LightOn tests"],
    ["the tested release", "v0.30.0", "possible", "v0.31.0 is out"],
  ])("for %s", (_, tag, weight, words) => expect(adviceFor(spec(), { tag, modelRevision: revision })).toMatchObject([{ weight, title: expect.stringContaining(words) }]));

  it("is none for the newest release with the catalogue's weights, nor for an engine of which nothing is known", () => {
    expect(adviceFor(spec(), { tag: "v0.31.0", modelRevision: revision })).toEqual([]);
    expect(adviceFor(spec(), { tag: "nightly", modelRevision: null })).toEqual([]);
  });

  it("prepares the spec: back to the catalogue's image, or on to a named one; newer weights need a download", () => {
    expect(adviceFor(spec({ imageTag: "v0.27.1" }), { tag: "v0.27.1", modelRevision: revision })[0]?.spec).not.toHaveProperty("imageTag");
    expect(adviceFor(spec(), { tag: "v0.30.0", modelRevision: revision })[0]?.spec.imageTag).toBe("v0.31.0");
    expect(adviceFor(spec({ offline: true }), { tag: "v0.31.0", modelRevision: "0".repeat(40) })).toMatchObject([{ id: "weights", spec: { offline: false } }]);
  });
});

it("compares releases by number", () => {
  expect([isOlder("v0.9.0", "v0.10.0"), isOlder("v0.30.0", "v0.30.0"), isOlder("v1.0.0", "v0.31.0"), isOlder("latest", "v0.31.0")]).toEqual([true, false, false, false]);
});
