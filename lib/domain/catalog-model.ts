import { z } from "zod";

/** The container image that runs a model. `digest` is null while nobody has read it from a registry. */
export const EngineImage = z.strictObject({
  repository: z.string(),
  tag: z.string(),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
  digestNote: z.string(),
  /** Packages that the stock image has in a version that cannot load the model. */
  pythonPackages: z.array(z.string().regex(/^[a-z0-9-]+==[0-9.]+$/)),
  source: z.url(),
});
export type EngineImage = z.infer<typeof EngineImage>;

/** One OCR model that can be deployed. Sources: the model's repository, cards and release post, named per figure. */
export const Model = z.strictObject({
  id: z.string(),
  name: z.string(),
  hfId: z.string(),
  /** Commit of the weights: a branch name would change under a running deployment. */
  revision: z.string().regex(/^[0-9a-f]{40}$/),
  licence: z.string(),
  parameters: z.int().positive(),
  architecture: z.string(),
  weightsGb: z.number().positive(),
  contextTokens: z.int().positive(),
  maxModelLen: z.int().positive(),
  longestEdgePx: z.int().positive(),
  /** Whether the chat template knows `enable_thinking`, which must then be off. */
  thinkingSwitch: z.boolean(),
  image: EngineImage,
  accuracy: z.array(z.strictObject({ benchmark: z.string(), score: z.number(), source: z.url() })),
  speeds: z.array(
    z.strictObject({
      gpu: z.string(),
      pagesPerSecond: z.number().positive().nullable(),
      basis: z.string(),
      estimated: z.boolean(),
      source: z.url(),
    }),
  ),
  kv: z.strictObject({ layers: z.int(), heads: z.int(), headDim: z.int(), bytesPerToken: z.int() }),
  /** MiB of fixed linear-attention state for each page in flight; the upper end of the published range. */
  stateMibPerSequence: z.number().nonnegative(),
  /** Tokens of an A4 page at the default edge, and of its average grounding output. */
  pageTokens: z.strictObject({ image: z.int(), output: z.int() }),
  /** What is known about running without bf16. */
  float16: z.enum(["unverified", "refused"]),
});
export type Model = z.infer<typeof Model>;

/** `repository:tag@digest`, or without the digest where it is not known. */
export function imageReference(image: EngineImage): string {
  const tagged = `${image.repository}:${image.tag}`;
  return image.digest === null ? tagged : `${tagged}@${image.digest}`;
}
