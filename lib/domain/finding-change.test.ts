import { describe, expect, it } from "vitest";
import { DeploymentSpec } from "./deployment";
import type { FindingAbout } from "./finding";
import { suggestedChange, withChange } from "./finding-change";
import { manifests } from "./manifest";

const context = { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 2, portalNamespace: null };
const specOf = (more: object = {}) => DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge", ...more });
const RWX = { accessMode: "ReadWriteMany" };
const strategy = { kind: "Deployment", merge: { spec: { strategy: { type: "RollingUpdate" } } } };

const cases: [string, object, FindingAbout | undefined, object, string][] = [
  ["gpu-memory", { maxModelLen: 16384 }, undefined, { maxModelLen: 8192 }, "8,192 tokens"],
  ["kv-too-small", { maxModelLen: 5000 }, undefined, { maxModelLen: 4096 }, "4,096 tokens"],
  ["volume-full", { storageGi: 40 }, undefined, { storageGi: 80 }, "80 GiB"],
  ["no-such-node", {}, { skuIds: ["aws-g6-xlarge", "gcp-g2-standard-8"] }, { skuId: "gcp-g2-standard-8" }, "g2-standard-8"],
  ["gpus-taken", { replicas: 3, ...RWX }, undefined, { replicas: 2 }, "2 instead of 3"],
  ["quota", { replicas: 2, ...RWX }, undefined, { replicas: 1 }, "1 instead of 2"],
  ["wrong-versions", { imageTag: "v0.20.0" }, undefined, { imageTag: undefined }, "catalogue"],
  ["driver-too-old", { imageTag: "v0.20.0" }, undefined, { imageTag: undefined }, "catalogue"],
  ["image-not-found", { imageTag: "v0.20.0" }, undefined, { imageTag: undefined }, "catalogue"],
  ["container-runtime", { runtimeClassName: "nvidia" }, undefined, { runtimeClassName: undefined }, "runtime class nvidia"],
  ["pod-refused", { priorityClassName: "high" }, undefined, { priorityClassName: undefined }, "priority class high"],
  ["container-config", { hubToken: { name: "hub", key: "token" } }, undefined, { hubToken: undefined }, "hub token"],
  ["rolling-deadlock", { overlay: [strategy] }, undefined, { overlay: [] }, "overrides"],
];

describe("a finding whose cause the spec can mend", () => {
  it.each(cases)("%s suggests the change", (id, more, about, changed, words) => {
    const spec = specOf(more);
    const answer = suggestedChange({ id, ...(about ? { about } : {}) }, spec);
    expect(answer?.label).toContain(words);
    const after = DeploymentSpec.parse(withChange(spec, answer?.change ?? {}));
    expect(after).toMatchObject(Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)));
    for (const [key, value] of Object.entries(changed)) if (value === undefined) expect(after).not.toHaveProperty(key);
  });

  /** The pod's spec with what the suggestion changes in the Deployment by an override. */
  function podAfter(id: string, more: object, about?: FindingAbout) {
    const spec = specOf(more);
    const answer = suggestedChange({ id, ...(about ? { about } : {}) }, spec);
    const engine = manifests(DeploymentSpec.parse(withChange(spec, answer?.change ?? {})), context).find((object) => object.kind === "Deployment");
    return JSON.stringify(engine?.spec ?? {});
  }

  it("missing-toleration tolerates just the taint", () => {
    expect(podAfter("missing-toleration", {}, { taints: [{ key: "team", value: "ocr", effect: "NoSchedule" }] })).toContain('{"key":"team","effect":"NoSchedule","operator":"Equal","value":"ocr"}');
  });
  it("request-too-large asks for the least", () => expect(podAfter("request-too-large", { skuId: "aws-g6-2xlarge" })).toContain('"memory":"8Gi"'));
  it("host-memory gives more where the node has it", () => expect(podAfter("host-memory", { skuId: "aws-g6-2xlarge" })).toContain('"memory":"20Gi"'));
  it("gpu-shared takes less of the card", () => expect(podAfter("gpu-shared", {})).toContain("--gpu-memory-utilization=0.8"));
  it("killed and never-ready give more time to start, and the deadline with it", () => {
    expect(podAfter("killed", {})).toContain('"failureThreshold":240');
    expect(podAfter("never-ready", {})).toContain('"progressDeadlineSeconds":3600');
  });

  it("says nothing twice, and nothing where the remedy lies in the cluster", () => {
    const once = suggestedChange({ id: "killed" }, specOf());
    expect(suggestedChange({ id: "killed" }, specOf(once?.change))).toBeNull();
    for (const id of ["no-device-plugin", "node-cordoned", "image-unreachable", "claim-unbound", "gpus-taken", "wrong-versions"]) expect(suggestedChange({ id }, specOf())).toBeNull();
  });
});
