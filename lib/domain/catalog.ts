import { z } from "zod";
import { Gpu, gpuMemoryMib } from "./catalog-gpu";
import { catalogAdditions } from "./catalog-added";
import { Model } from "./catalog-model";
import { allocatable, placement, type Allocatable, type Placement } from "./catalog-node";
import modelData from "./data/models.json";
import skuData from "./data/skus.json";
import { notFound } from "./errors";

const SkuRow = z.strictObject({
  /** The same id as in the price book. */
  id: z.string(),
  cloud: z.enum(["aws", "gcp", "azure", "scaleway", "own"]),
  instanceType: z.string().nullable(),
  gpuId: z.string(),
  gpuCount: z.int().positive(),
  vcpu: z.int().positive().nullable(),
  ramGib: z.number().positive().nullable(),
  source: z.string(),
  note: z.string().nullable(),
});

/** A size of GPU node, what it offers to pods, and how a pod finds it. Memory is MiB of one GPU, a lower bound. */
export type Sku = z.infer<typeof SkuRow> & {
  name: string;
  gpu: Gpu;
  gpuMemoryMib: number;
  allocatable: Allocatable | null;
  placement: Placement;
};

const gpus = new Map(
  z
    .array(Gpu)
    .parse(skuData.gpus)
    .map((gpu) => [gpu.id, gpu]),
);

/** The models that can be deployed, smallest first. */
export const models: readonly Model[] = z.array(Model).parse(modelData);

/** The GPU sizes that can be chosen, by cloud. */
export const skus: readonly Sku[] = z.array(SkuRow).parse(skuData.skus).map(describe);

const modelsById = new Map(models.map((model) => [model.id, model]));
const skusById = new Map(skus.map((sku) => [sku.id, sku]));

/** The shipped models and those that this installation has added. */
export function allModels(): readonly Model[] {
  const { models: added } = catalogAdditions();
  return added.length === 0 ? models : [...models, ...added];
}

/** The shipped sizes and those that this installation has added. */
export function allSkus(): readonly Sku[] {
  const { skus: added } = catalogAdditions();
  return added.length === 0 ? skus : [...skus, ...added.flatMap((row) => (gpus.has(row.gpuId) ? [describe(row)] : []))];
}

/** The GPUs that a size may have. */
export const gpuList: readonly Gpu[] = [...gpus.values()];

export function findModel(id: string): Model | undefined {
  return modelsById.get(id) ?? catalogAdditions().models.find((model) => model.id === id);
}

export function findSku(id: string): Sku | undefined {
  return skusById.get(id) ?? allSkus().find((sku) => sku.id === id);
}

/** The model with this id. Throws DomainError `not_found`. */
export function modelById(id: string): Model {
  const model = findModel(id);
  if (!model) throw notFound("model");
  return model;
}

/** The size with this id. Throws DomainError `not_found`. */
export function skuById(id: string): Sku {
  const sku = findSku(id);
  if (!sku) throw notFound("GPU size");
  return sku;
}

function describe(row: z.infer<typeof SkuRow>): Sku {
  const gpu = gpus.get(row.gpuId);
  if (!gpu) throw new Error(`The catalogue has no GPU "${row.gpuId}", which ${row.id} names.`);
  const size = row.vcpu === null || row.ramGib === null ? null : { vcpu: row.vcpu, ramGib: row.ramGib };
  return {
    ...row,
    name: row.instanceType ?? `Own node with ${gpu.name}`,
    gpu,
    gpuMemoryMib: gpuMemoryMib(gpu),
    allocatable: size === null ? null : allocatable(row.cloud, size),
    placement: placement(row.cloud, row.instanceType, gpu),
  };
}
