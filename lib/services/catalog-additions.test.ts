import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/lib/domain/caller";
import { NO_ADDITIONS, setCatalogAdditions } from "@/lib/domain/catalog-added";
import { modelById } from "@/lib/domain/catalog";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { catalogGet } from "./catalog";
import { catalogAdd, catalogRemove, loadCatalog } from "./catalog-additions";
import { deploymentsPreview } from "./deployment-preview";
import { execute } from "./pipeline";

const database = useDatabase();
let owner: Caller;
let deployer: Caller;
let environmentId: string;

beforeAll(async () => {
  const { db } = database;
  const place = await db.environment.create({ data: { slug: "added", name: "Added", kind: "staging", namespace: "added" } });
  environmentId = place.id;
  owner = (await createPerson(db, "Owner of the catalogue", { isOwner: true })).caller;
  deployer = (await createPerson(db, "Deployer of the catalogue", { roles: { [place.id]: "deployer" } })).caller;
});
afterAll(() => setCatalogAdditions(NO_ADDITIONS));

const sku = { id: "aws-g6-4xlarge", cloud: "aws", instanceType: "g6.4xlarge", gpuId: "l4", gpuCount: 1, vcpu: 16, ramGib: 64, source: "https://aws.amazon.com/ec2/instance-types/g6/", note: null };
const digest = `sha256:${"b".repeat(64)}`;
const add = (input: object, caller = owner) => execute(catalogAdd, { db: database.db, caller, input });
const remove = (kind: string, id: string, caller = owner) => execute(catalogRemove, { db: database.db, caller, input: { kind, id } });
const preview = (spec: object) => execute(deploymentsPreview, { db: database.db, caller: deployer, input: { environmentId, deploymentId: randomUUID(), spec: { name: "ocr", modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", ...spec } } });

describe("what an installation adds", () => {
  it("is an owner's to add, is audited, survives a restart, and is deployed like the rest", async () => {
    await expect(add({ kind: "sku", sku }, deployer)).rejects.toMatchObject({ code: "forbidden" });
    await add({ kind: "sku", sku });
    await add({ kind: "image", image: { engine: "vllm", tag: `v0.31.0@${digest}` } });
    const model = { ...modelById("lightonocr-3-0.8b"), id: "house-ocr", name: "House OCR", hfId: "house/ocr", image: { ...modelById("lightonocr-3-0.8b").image, digest } };
    await add({ kind: "model", model });
    setCatalogAdditions(NO_ADDITIONS);
    await loadCatalog(database.db);
    const { additions, sizes } = await execute(catalogGet, { db: database.db, caller: deployer, input: {} });
    expect([additions.skus.length, additions.models.length, additions.images.length]).toEqual([1, 1, 1]);
    expect(sizes.find((size) => size.id === sku.id)?.fits.map((fit) => fit.modelId)).toContain("house-ocr");
    const shown = await preview({ skuId: sku.id, modelId: "house-ocr" });
    expect(shown.yaml).toContain("node.kubernetes.io/instance-type: g6.4xlarge");
    expect(shown.yaml).toContain(`image: vllm/vllm-openai:v0.31.0@${digest}`);
    expect(shown.yaml).toContain("- house/ocr");
    const events = await database.db.auditEvent.findMany({ where: { action: "catalog.add", outcome: "success" } });
    expect(events).toHaveLength(3);
  });

  it.each([
    [{ kind: "sku", sku: { ...sku, id: "aws-slice", instanceType: "g6f.xlarge" } }, "1/4"],
    [{ kind: "sku", sku: { ...sku, id: "aws-unknown", gpuId: "voodoo" } }, "does not know this GPU"],
    [{ kind: "sku", sku: { ...sku, id: "aws-g6-xlarge" } }, "already"],
    [{ kind: "image", image: { engine: "vllm", tag: "v0.31.0" } }, "digest"],
  ])("refuses %j", async (input, words) => {
    await expect(add(input)).rejects.toSatisfy((error) => JSON.stringify([(error as Error).message, (error as { fields?: unknown }).fields]).includes(words));
  });

  it("is taken out again, unless a deployment uses it", async () => {
    await database.db.deployment.create({ data: { environmentId, name: "uses", spec: { name: "uses", modelId: "lightonocr-3-0.8b", skuId: sku.id } } });
    await expect(remove("sku", sku.id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("A deployment uses aws-g6-4xlarge") });
    await remove("image", "vllm");
    expect((await preview({})).yaml).toContain("image: vllm/vllm-openai:v0.30.0\n");
    await expect(remove("image", "vllm")).rejects.toMatchObject({ code: "not_found" });
  });
});
