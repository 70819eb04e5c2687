import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

function run(spec: unknown, ...flags: string[]) {
  const text = typeof spec === "string" ? spec : JSON.stringify(spec);
  return spawnSync(process.execPath, ["--import", "tsx", "scripts/manifests.ts", "-", ...flags], { input: text, encoding: "utf8" });
}

const spec = { name: "contracts", modelId: "lightonocr-3-4b", skuId: "aws-g6-xlarge" };

it("prints the objects of a spec, in a namespace only when one is named", () => {
  const { status, stdout, stderr } = run(spec);
  expect([status, stderr]).toEqual([0, ""]);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  expect(objects.map((object) => object.kind)).toEqual(["ServiceAccount", "PersistentVolumeClaim", "NetworkPolicy", "Deployment", "Service"]);
  expect(objects.filter((object) => "namespace" in object.metadata)).toEqual([]);
  expect(run(spec, "--namespace", "ocr").stdout).toContain("\n  namespace: ocr\n");
});

it("ends with one clear sentence and status 1 when the spec is bad", () => {
  const bad = run({ ...spec, replicas: "two", colour: "red" });
  expect([bad.status, bad.stdout]).toEqual([1, ""]);
  expect(bad.stderr).toMatch(/^The spec is not valid: .*replicas.*colour.*\n$/);
});
