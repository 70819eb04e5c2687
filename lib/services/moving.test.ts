import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import type { Caller } from "@/lib/domain/caller";
import { diffObject } from "@/lib/domain/diff";
import { EXPORT_FORMS, exportFiles, type ExportForm } from "@/lib/domain/export-manifests";
import { manifests } from "@/lib/domain/manifest";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { useSandbox, type Place } from "@/scripts/test/sandbox-place";
import { liveOf } from "./deployment-live";
import { deploymentsPreview } from "./deployment-preview";
import { deploymentsApply } from "./deployment-writes";
import { movingClone, movingExport } from "./moving";
import { execute } from "./pipeline";

const database = useDatabase();
const sandbox = useSandbox(database);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "moving-"));
let place: Place, firstDeployer: Caller, deploymentId: string;
beforeAll(async () => {
  place = await sandbox.place("leaves");
  firstDeployer = await sandbox.deployer(place, "First deployer");
  deploymentId = randomUUID();
  const { digest } = await execute(deploymentsPreview, { db: database.db, caller: firstDeployer, input: { environmentId: place.environmentId, deploymentId, spec: { name: "leaver", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" } } });
  await execute(deploymentsApply, { db: database.db, caller: firstDeployer, input: { digest } });
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const has = (tool: string, ...args: string[]) => {
  try {
    execFileSync(tool, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Exports, and unpacks with a reader that is not ours. */
async function unpacked(form: ExportForm): Promise<string> {
  const answer = await execute(movingExport, { db: database.db, caller: firstDeployer, input: { id: deploymentId, form } });
  const [at, file] = [path.join(folder, form), path.join(folder, `${form}.zip`)];
  fs.writeFileSync(file, answer.body as Uint8Array);
  execFileSync("python3", ["-m", "zipfile", "-e", file, at]);
  return at;
}
const stored = async () => (await database.db.revision.findFirstOrThrow({ where: { deploymentId } })).manifests as unknown as KubeObject[];
const sorted = (objects: KubeObject[]) => [...objects].sort((left, right) => (left.kind < right.kind ? -1 : 1));
const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject);

/** Applies objects to a namespace that holds none of them, and compares with those of the deployment. */
async function differencesInto(namespace: string, objects: KubeObject[]): Promise<string[]> {
  const answer = await sandbox.kube.send({ method: "POST", path: "/api/v1/namespaces", headers: { "content-type": "application/json" }, body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }) });
  answer.cancel();
  const differences: string[] = [];
  for (const object of objects) {
    const { object: made } = await sandbox.kube.apply({ ...object, metadata: { ...object.metadata, namespace } });
    const live = await liveOf(sandbox.kube, object);
    const here = JSON.parse(JSON.stringify(made).replaceAll(namespace, place.namespace));
    differences.push(...diffObject(live, here).map((change) => change.path).filter((each) => !/clusterIP|volumeName|annotations|ownerReferences|finalizers/.test(each)));
  }
  return differences;
}

describe("leaving", () => {
  it("as plain YAML, applied to an empty namespace: no difference", async () => {
    const at = await unpacked("yaml");
    const objects = fs.readdirSync(at).filter((name) => name.endsWith(".yaml")).sort().flatMap((name) => documents(fs.readFileSync(path.join(at, name), "utf8")));
    expect(objects).toEqual(await stored());
    expect(await differencesInto("empty-yaml", objects)).toEqual([]);
  });

  it.skipIf(!has("kubectl", "version", "--client"))("as Kustomize, rendered by kubectl and applied to an empty namespace: no difference", async () => {
    const rendered = execFileSync("kubectl", ["kustomize", await unpacked("kustomize")], { encoding: "utf8" });
    const objects = documents(rendered);
    expect(sorted(objects)).toEqual(sorted(await stored()));
    expect(await differencesInto("empty-kustomize", objects)).toEqual([]);
  });

  it("as Argo CD and Flux: the folder that they name renders to the same objects", async () => {
    for (const form of ["argocd", "flux"] as const) {
      const at = await unpacked(form);
      const top = documents(fs.readFileSync(path.join(at, form === "argocd" ? "application.yaml" : "flux.yaml"), "utf8"));
      const named = JSON.stringify(top).match(/"path":"(?:\.\/)?([^"]+)"/)?.[1] ?? "";
      const kustomization = parse(fs.readFileSync(path.join(at, named, "kustomization.yaml"), "utf8")) as { resources: string[] };
      expect(kustomization.resources.map((name) => parse(fs.readFileSync(path.join(at, named, name), "utf8")))).toEqual(await stored());
    }
  });

  it("as Terraform and Helm: the files hold the same objects", async () => {
    const terraform = await unpacked("terraform");
    const named = [...fs.readFileSync(path.join(terraform, "main.tf"), "utf8").matchAll(/objects\/[a-z]+\.json/g)].map(([name]) => name);
    expect(named.map((name) => JSON.parse(fs.readFileSync(path.join(terraform, name), "utf8")))).toEqual(await stored());
    const templates = path.join(await unpacked("helm"), "leaver", "templates");
    const rendered = fs.readdirSync(templates).sort().map((name) => parse(fs.readFileSync(path.join(templates, name), "utf8").replaceAll('{{ "{{" }}', "{{")));
    expect(rendered).toEqual(await stored());
  });

  it("has a README in every form, and escapes what Helm would take for an action", () => {
    const context = { namespace: "a", environmentId: randomUUID(), deploymentId: randomUUID(), revision: 3, portalNamespace: null };
    const objects = manifests(DeploymentSpec.parse({ name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" }), context).map((object) => ({ ...object, metadata: { ...object.metadata, annotations: { note: "{{ .Values.x }}" } } }));
    for (const form of EXPORT_FORMS) expect(exportFiles(form, { name: "ocr", namespace: "a", revision: 3, objects, repoUrl: null }).map(({ path: name }) => name)).toContain("README.md");
    const helm = exportFiles("helm", { name: "ocr", namespace: "a", revision: 3, objects, repoUrl: null }).filter(({ path: name }) => name.includes("templates"));
    expect(helm.every(({ text }) => !/\{\{(?! "\{\{" \}\})/.test(text.replaceAll('{{ "{{" }}', "")))).toBe(true);
  });

  it("is a viewer's right too, audited, and another environment's deployment is not found", async () => {
    const stranger = (await createPerson(database.db, "Stranger")).caller;
    await expect(execute(movingExport, { db: database.db, caller: stranger, input: { id: deploymentId, form: "yaml" } })).rejects.toMatchObject({ code: "not_found" });
    expect(await database.db.auditEvent.count({ where: { action: "moving.export", outcome: "success" } })).toBeGreaterThan(0);
  });
});

describe("a clone", () => {
  it("says every difference and what stands in its way", async () => {
    const there = await database.db.environment.create({ data: { slug: "there", name: "There", kind: "production", namespace: "lectern-there", needsApproval: true } });
    const both = (await createPerson(database.db, "Both", { roles: { [place.environmentId]: "deployer", [there.id]: "viewer" } })).caller;
    const clone = await execute(movingClone, { db: database.db, caller: both, input: { id: deploymentId, environmentId: there.id } });
    expect(clone.differences.map((each) => each.what)).toEqual(expect.arrayContaining(["Environment", "Cluster", "Namespace", "Approval", "Weights", "Price"]));
    expect(clone.differences.find((each) => each.what === "Price")).toMatchObject({ there: "0.8048 USD per hour and node in us-east-1", note: expect.stringContaining("No node of this size was seen there yet") });
    expect(clone.blockers).toEqual(["There has no cluster. Link one first.", "Deploying in There needs the role deployer there. Ask one of its admins."]);
    await expect(execute(movingClone, { db: database.db, caller: firstDeployer, input: { id: deploymentId, environmentId: there.id } })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is priced in the region in which its cluster last had such a node, not by the price book's first", async () => {
    const { clusterId } = await database.db.environment.findUniqueOrThrow({ where: { id: place.environmentId } });
    const beside = await database.db.environment.create({ data: { slug: "beside", name: "Beside", kind: "staging", namespace: "lectern-beside", clusterId } });
    const far = await database.db.environment.create({ data: { slug: "far", name: "Far", kind: "staging", namespace: "lectern-far" } });
    const seen = (environmentId: string, region: string, day: number) => ({ environmentId, node: region, region, skuId: "aws-g6-xlarge", startedAt: new Date(Date.UTC(2026, 10, day)), lastSeenAt: new Date(Date.UTC(2026, 10, day)) });
    await database.db.nodeInterval.createMany({ data: [seen(beside.id, "us-west-2", 1), seen(beside.id, "eu-west-3", 2), seen(far.id, "eu-north-1", 3)] });
    const both = (await createPerson(database.db, "Neighbour", { roles: { [place.environmentId]: "deployer", [beside.id]: "deployer" } })).caller;
    const { differences } = await execute(movingClone, { db: database.db, caller: both, input: { id: deploymentId, environmentId: beside.id } });
    expect(differences.find((each) => each.what === "Price")).toMatchObject({ there: "1.0216 USD per hour and node in eu-west-3", note: expect.not.stringContaining("No node of this size") });
  });
});
