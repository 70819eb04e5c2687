import "server-only";
import { z } from "zod";
import { allModels, allSkus } from "@/lib/domain/catalog";
import { CatalogAdditions, catalogAdditions } from "@/lib/domain/catalog-added";
import { engines } from "@/lib/domain/catalog-engine";
import { Model } from "@/lib/domain/catalog-model";
import { skuTraps } from "@/lib/domain/catalog-trap";
import { fits } from "@/lib/domain/fit";
import { priceOfSku, SkuPriceAnswer } from "@/lib/domain/sku-price";
import { read } from "./operation";
import { priceBook } from "./prices-book";

const Size = z.strictObject({
  id: z.string(),
  cloud: z.string(),
  name: z.string(),
  gpu: z.string(),
  gpuMemoryGb: z.number(),
  gpuCount: z.number().int(),
  vcpu: z.number().nullable(),
  ramGib: z.number().nullable(),
  note: z.string().nullable(),
  source: z.string(),
  price: SkuPriceAnswer,
  /** Models of the catalogue that fit one GPU of it, with the pages at once that are estimated for each. */
  fits: z.array(z.strictObject({ modelId: z.string(), pagesAtOnce: z.number().int() })),
});
const Trap = z.strictObject({ cloud: z.string(), sizes: z.string(), reason: z.string(), instead: z.string().nullable() });
const EngineView = z.strictObject({
  id: z.string(),
  name: z.string(),
  support: z.enum(["tested", "untested", "unable"]),
  isDeployable: z.boolean(),
  image: z.string().nullable(),
  port: z.number().int(),
  probe: z.string(),
  metrics: z.string().nullable(),
  start: z.string(),
  limits: z.array(z.string()),
  reason: z.string(),
  source: z.string(),
});

export const catalogGet = read({
  name: "catalog.get",
  summary: "Models, GPU sizes with prices and fit, sizes that are refused and why, and engines",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: z.strictObject({ models: z.array(Model), sizes: z.array(Size), traps: z.array(Trap), engines: z.array(EngineView), additions: CatalogAdditions }),
  run: async ({ db, now }) => {
    const book = await priceBook(db);
    return {
    models: [...allModels()],
    sizes: allSkus().map((sku) => ({
      id: sku.id,
      cloud: sku.cloud,
      name: sku.name,
      gpu: sku.gpu.name,
      gpuMemoryGb: sku.gpu.memoryGb,
      gpuCount: sku.gpuCount,
      vcpu: sku.vcpu,
      ramGib: sku.ramGib,
      note: sku.note,
      source: sku.source,
      price: priceOfSku(sku.id, book, now.getTime()),
      fits: allModels().flatMap((model) => {
        const fit = fits(model, sku);
        return fit.ok ? [{ modelId: model.id, pagesAtOnce: fit.vram.pagesMax }] : [];
      }),
    })),
    traps: skuTraps.map(({ cloud, sizes, reason, instead }) => ({ cloud, sizes, reason, instead })),
    additions: catalogAdditions(),
    engines: engines.map(({ deployable, image, metricsPath: _path, queue: _queue, copies: _copies, ...engine }) => ({ ...engine, limits: [...engine.limits], isDeployable: deployable !== null, image: image && `${image.repository}:${image.tag}` })),
  };
  },
});
