import "server-only";
import { z } from "zod";
import { findModel, findSku, gpuList } from "@/lib/domain/catalog";
import { AddedImage, AddedModel, AddedSku, CatalogAdditions, NO_ADDITIONS, setCatalogAdditions } from "@/lib/domain/catalog-added";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";
import { write } from "./operation";

const KEY = "catalog";

async function stored(db: Db | Tx): Promise<CatalogAdditions> {
  const row = await db.setting.findUnique({ where: { key: KEY } });
  return CatalogAdditions.safeParse(row?.value).data ?? NO_ADDITIONS;
}

/** Takes what this installation has added to the catalogue from the database into the process: at start, and again and again for other replicas' changes. */
export async function loadCatalog(db: Db): Promise<void> {
  setCatalogAdditions(await stored(db));
}

async function keep(tx: Tx, additions: CatalogAdditions): Promise<void> {
  const value = JSON.parse(JSON.stringify(additions));
  await tx.setting.upsert({ where: { key: KEY }, create: { key: KEY, value }, update: { value } });
  setCatalogAdditions(additions);
}

const Added = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("sku"), sku: AddedSku }),
  z.strictObject({ kind: z.literal("model"), model: AddedModel }),
  z.strictObject({ kind: z.literal("image"), image: AddedImage }),
]);
const One = z.strictObject({ kind: z.enum(["sku", "model", "image"]), id: z.string().max(60) });

export const catalogAdd = write({
  name: "catalog.add",
  summary: "Add a GPU size or a model to this installation's catalogue, or choose the release of an engine's image by digest",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: Added,
  output: One,
  target: (input) => ({ type: "catalogue", name: `${input.kind} ${idOf(input)}`, detail: { kind: input.kind, id: idOf(input) } }),
  run: async ({ db, input }) => {
    const additions = await stored(db);
    const id = idOf(input);
    if (input.kind === "sku") {
      if (!gpuList.some((gpu) => gpu.id === input.sku.gpuId)) throw new DomainError("unprocessable", "The catalogue does not know this GPU. Choose one of its list.");
      if (findSku(id)) throw new DomainError("conflict", `There is a GPU size ${id} already. Choose another id.`);
      await keep(db, { ...additions, skus: [...additions.skus, input.sku] });
    } else if (input.kind === "model") {
      if (findModel(id)) throw new DomainError("conflict", `There is a model ${id} already. Choose another id.`);
      await keep(db, { ...additions, models: [...additions.models, input.model] });
    } else await keep(db, { ...additions, images: [...additions.images.filter((image) => image.engine !== id), input.image] });
    return { kind: input.kind, id };
  },
});

function idOf(added: z.infer<typeof Added>): string {
  if (added.kind === "sku") return added.sku.id;
  return added.kind === "model" ? added.model.id : added.image.engine;
}

export const catalogRemove = write({
  name: "catalog.remove",
  summary: "Take an addition out of this installation's catalogue again; what a deployment uses stays",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: One,
  output: One,
  target: (input) => ({ type: "catalogue", name: `${input.kind} ${input.id}`, detail: { ...input } }),
  run: async ({ db, input }) => {
    const additions = await stored(db);
    const rest = without(additions, input);
    if (rest.skus.length + rest.models.length + rest.images.length === additions.skus.length + additions.models.length + additions.images.length) throw notFound("addition to the catalogue");
    if (input.kind !== "image") await refuseUsed(db, input);
    await keep(db, rest);
    return input;
  },
});

function without({ skus, models, images }: CatalogAdditions, { kind, id }: z.infer<typeof One>): CatalogAdditions {
  return {
    skus: kind === "sku" ? skus.filter((sku) => sku.id !== id) : skus,
    models: kind === "model" ? models.filter((model) => model.id !== id) : models,
    images: kind === "image" ? images.filter((image) => image.engine !== id) : images,
  };
}

/** Also deployments of the past: their history must stay readable. */
async function refuseUsed(db: Tx, { kind, id }: z.infer<typeof One>): Promise<void> {
  const used = await db.deployment.count({ where: { spec: { path: [kind === "sku" ? "skuId" : "modelId"], equals: id } } });
  if (used > 0) throw new DomainError("conflict", `${used === 1 ? "A deployment uses" : `${used} deployments use`} ${id}, or did so: its history must stay readable.`);
}
