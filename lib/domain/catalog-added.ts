import { z } from "zod";
import { EngineId } from "./catalog-engine";
import { EngineImage, Model } from "./catalog-model";
import { findTrap } from "./catalog-trap";

const Id = z.string().max(60).regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "Use lower-case letters, digits, dots and dashes.");

/** A GPU size as an administrator adds it: one of the GPUs that the catalogue knows, on a node of their cloud. */
export const AddedSku = z
  .strictObject({
    id: Id,
    cloud: z.enum(["aws", "gcp", "azure", "scaleway", "own"]),
    instanceType: z.string().trim().min(1).max(63).regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, "Use the name that the cloud gives the size.").nullable(),
    gpuId: z.string().max(40),
    gpuCount: z.int().min(1).max(16),
    vcpu: z.int().min(1).max(1024).nullable(),
    ramGib: z.number().min(1).max(65536).nullable(),
    source: z.url("Say where the figures are from, as an address."),
    note: z.string().trim().max(300).nullable(),
  })
  .superRefine((sku, context) => {
    const trap = sku.instanceType === null ? undefined : findTrap(sku.cloud, sku.instanceType);
    if (trap) context.addIssue({ code: "custom", path: ["instanceType"], message: trap.reason });
    if (sku.cloud !== "own" && sku.instanceType === null) context.addIssue({ code: "custom", path: ["instanceType"], message: "Name the size as the cloud does: pods find its nodes by it." });
  });
export type AddedSku = z.infer<typeof AddedSku>;

/** A model as an administrator adds it; its figures are theirs, with their source. */
export const AddedModel = Model.extend({
  id: Id,
  name: z.string().trim().min(1).max(80),
  hfId: z.string().max(120).regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, "Use owner/name, as the hub does."),
  image: EngineImage.extend({
    repository: z.string().max(200).regex(/^[a-z0-9]+([._/:-][a-z0-9]+)*$/, "Use a repository without tag, such as registry.example.com/vllm/vllm-openai."),
    digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, "Give the image's digest, sha256:…"),
  }),
}).superRefine((model, context) => {
  const { layers, heads, headDim, bytesPerToken } = model.kv;
  if (bytesPerToken !== 4 * layers * heads * headDim) context.addIssue({ code: "custom", path: ["kv", "bytesPerToken"], message: `Keys and values of two bytes each make ${4 * layers * heads * headDim} bytes per token.` });
  if (model.maxModelLen > model.contextTokens) context.addIssue({ code: "custom", path: ["maxModelLen"], message: "It is more than the model's context." });
});
export type AddedModel = z.infer<typeof AddedModel>;

/** The release of an engine's image that this installation uses, by digest. */
export const AddedImage = z.strictObject({
  engine: EngineId,
  tag: z.string().max(200).regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}@sha256:[0-9a-f]{64}$/, "Give tag and digest: v0.30.0@sha256:…"),
});
export type AddedImage = z.infer<typeof AddedImage>;

/** What an installation adds to the catalogue that Lectern ships. */
export const CatalogAdditions = z.strictObject({ skus: z.array(AddedSku).max(200), models: z.array(AddedModel).max(50), images: z.array(AddedImage).max(10) });
export type CatalogAdditions = z.infer<typeof CatalogAdditions>;

export const NO_ADDITIONS: CatalogAdditions = { skus: [], models: [], images: [] };

type Shared = typeof globalThis & { lecternCatalog?: CatalogAdditions };

/**
 * The additions of this process. They are read from the database at start and after each change, and in the browser from catalog.get;
 * plain data on the global object, because a server's bundles each have a copy of this module.
 */
export function catalogAdditions(): CatalogAdditions {
  return (globalThis as Shared).lecternCatalog ?? NO_ADDITIONS;
}

export function setCatalogAdditions(additions: CatalogAdditions): void {
  (globalThis as Shared).lecternCatalog = additions;
}
