import { z } from "zod";
import { NamespaceName } from "../deployment";
import type { DeploymentSpec } from "../deployment";
import { modelById, skuById, type Sku } from "../catalog";
import type { Model } from "../catalog-model";

const labelValue = z
  .string()
  .max(63)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, "Use letters, digits, dots, dashes and underscores, up to 63 characters.");

/** Where and as what a spec is rendered; fixed by the server, never by the client. */
export const ManifestContext = z.strictObject({
  namespace: NamespaceName,
  environmentId: labelValue,
  deploymentId: labelValue,
  revision: z.int().min(1),
  /** The namespace the portal's own pods run in; null when it reaches the model through the API server. */
  portalNamespace: NamespaceName.nullable(),
  /** What a live node of the size can give, when one was read; else the table of published reservations. */
  allocatable: z.strictObject({ cpuMillis: z.number(), memoryMib: z.number() }).optional(),
});
export type ManifestContext = z.infer<typeof ManifestContext>;

/** Everything the builders read. */
export type Rendering = { spec: DeploymentSpec; context: ManifestContext; model: Model; sku: Sku };

/** Spec and context with the catalogue rows they name. Throws DomainError `not_found`. */
export function rendering(spec: DeploymentSpec, context: ManifestContext): Rendering {
  return { spec, context, model: modelById(spec.modelId), sku: skuById(spec.skuId) };
}
