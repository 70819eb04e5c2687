import { z } from "zod";

/** A GPU product. Sources: NVIDIA's compute capability table (general knowledge), GKE and GPU-feature-discovery labels as documented. */
export const Gpu = z.strictObject({
  id: z.string(),
  name: z.string(),
  memoryGb: z.number().positive(),
  computeCapability: z.number(),
  /** Value of `cloud.google.com/gke-accelerator`, where GKE offers the card. */
  gkeAccelerator: z.string().nullable(),
  /** Values of `nvidia.com/gpu.product` for a whole card; shared and MIG cards carry a suffix and so never match. */
  products: z.array(z.string()),
});
export type Gpu = z.infer<typeof Gpu>;

/**
 * MiB that the driver will report at least: marketing gigabytes read as 10^9 bytes. It is a lower bound
 * (an L4 reports 23,034 MiB against 22,888 here), so a fit computed from it holds on the real card.
 */
export function gpuMemoryMib(gpu: Gpu): number {
  return Math.floor((gpu.memoryGb * 1e9) / 2 ** 20);
}

/** bf16 needs compute capability 8.0; the T4 (7.5) and V100 (7.0) have fp16 only. */
export function hasBfloat16(gpu: Gpu): boolean {
  return gpu.computeCapability >= 8;
}
