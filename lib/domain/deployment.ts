import { z } from "zod";
import { findModel, findSku, models, skus } from "./catalog";
import { EngineId } from "./catalog-engine";
import { trapOfId } from "./catalog-trap";
import { Autoscaling, Exposure, ImageTag, Monitoring, PodSelector, SecretReference } from "./deployment-options";
import { specProblems } from "./deployment-rules";
import { NamespaceName, ObjectName } from "./kubernetes-name";
import { Override } from "./manifest/overlay-schema";

export { NamespaceName };

/** A deployment's name. It also names a Service, which must start with a letter; 40 characters leave room for suffixes. */
export const DeploymentName = z
  .string()
  .min(1, "Give the deployment a name.")
  .max(40, "Use at most 40 characters.")
  .regex(
    /^[a-z]([a-z0-9-]*[a-z0-9])?$/,
    "Start with a lower-case letter; use lower-case letters, digits and dashes; end with a letter or digit.",
  )
  .refine(
    (name) => name !== "vllm",
    'A Service called "vllm" sets VLLM_PORT in every pod, and vLLM then refuses to start: choose another name.',
  );

/** What a person asks for: one model served in one environment. Sizes in GiB; `maxModelLen` in tokens. */
export const DeploymentSpec = z
  .strictObject({
    name: DeploymentName,
    modelId: z.string().refine((id) => findModel(id) !== undefined, "Choose a model of the catalogue.").meta({ description: "A model of catalog.get; examples are those that Lectern ships.", examples: models.map((model) => model.id) }),
    skuId: z.string().superRefine((id, context) => {
      if (!findSku(id)) context.addIssue({ code: "custom", message: trapOfId(id)?.reason ?? "Choose a GPU size of the catalogue." });
    }).meta({ description: "A GPU size of catalog.get; examples are those that Lectern ships.", examples: skus.map((sku) => sku.id) }),
    replicas: z.int().min(0).max(16).default(1).describe("0 keeps everything but the pods: the deployment is stopped. More than one needs ReadWriteMany."),
    spot: z.boolean().default(false),
    engine: EngineId.default("vllm"),
    imageTag: ImageTag.optional().describe("Another release of the engine's image than the catalogue's."),
    maxModelLen: z.int().min(4096).max(262144).optional().describe("Tokens of image and text together; the model's own length when left out."),
    storageGi: z.int().min(20, "20 GiB is the least that holds the weights twice and the compile cache.").max(1000).default(40),
    storageClass: ObjectName.optional(),
    accessMode: z.enum(["ReadWriteOnce", "ReadWriteMany"]).default("ReadWriteOnce"),
    callerNamespaces: z.array(NamespaceName).max(20).default([]).describe("Namespaces whose pods may call the model, besides the portal's."),
    offline: z.boolean().default(false).describe("Weights are on the volume already: no download, and no way out of the cluster."),
    prefetch: z.boolean().optional().describe("A Job downloads the weights first; the engine then starts offline and may only look names up."),
    disruptionBudget: z.boolean().optional().describe("Lets a node be drained one pod at a time."),
    autoscaling: Autoscaling.optional(),
    exposure: Exposure.optional(),
    monitoring: Monitoring.optional(),
    hubToken: SecretReference.optional().describe("A Secret with a token of the model hub, for mirrors and private copies."),
    imagePullSecret: ObjectName.optional(),
    runtimeClassName: ObjectName.optional(),
    priorityClassName: ObjectName.optional(),
    selector: PodSelector.optional().describe("Labels by which a Deployment that was taken over finds its pods: a cluster never lets them change. Lectern's own when left out."),
    overlay: z.array(Override).max(20).optional().describe("Changes of the manifests by hand, applied in order; every diff shows them as such."),
  })
  .superRefine((spec, context) => {
    for (const { path, message } of specProblems(spec)) context.addIssue({ code: "custom", path: [...path], message });
  });
export type DeploymentSpec = z.infer<typeof DeploymentSpec>;
/** A spec as a form or a script sends it, defaults left out. */
export type DeploymentSpecInput = z.input<typeof DeploymentSpec>;

/** What a deployment is doing, in one word. */
export const DeploymentStatus = z.enum(["working", "ready", "failed", "stopped", "timed_out", "deleting", "unknown"]);
export type DeploymentStatus = z.infer<typeof DeploymentStatus>;
