import { z } from "zod";
import { HostName, LabelKey, LabelValue, NamespaceName, ObjectName, SecretKey } from "./kubernetes-name";

/** Where the service answers besides its cluster address; always inside the network, never on a public address. */
export const Exposure = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("load-balancer"),
    /** The controller that makes the balancer, where the cloud has several. */
    loadBalancerClass: ObjectName.optional(),
  }),
  z.strictObject({
    kind: z.literal("ingress"),
    host: HostName,
    /** The internal class; needed where the cloud has no internal class of its own (Azure, Scaleway, own nodes). */
    className: ObjectName.optional(),
    /** Namespace of the Ingress controller's pods, which the network policy lets in; not needed where the cloud balances by address. */
    controllerNamespace: NamespaceName.optional(),
    tlsSecret: ObjectName.optional(),
  }),
]);
export type Exposure = z.infer<typeof Exposure>;

const replicaBounds = { minReplicas: z.int().min(1, "At zero pods there are no metrics that could wake it: use working hours and waking instead.").max(16).default(1), maxReplicas: z.int().min(1).max(16) };
const pagesPerReplica = z.int().min(1).max(1024).default(8);

/** Who sets the replicas by the length of the queue: then the Deployment leaves them out. */
export const Autoscaling = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("hpa"),
    ...replicaBounds,
    /** Waiting pages per replica above which one more is started; the cluster's metrics adapter must offer the metric. */
    pagesPerReplica,
  }),
  z.strictObject({
    by: z.literal("keda"),
    ...replicaBounds,
    /** Waiting and running pages per replica above which one more is started. */
    pagesPerReplica,
    /** Address of the Prometheus that scrapes the engine, as KEDA reaches it. */
    prometheusUrl: z.url({ protocol: /^https?$/, error: "Give the address of a Prometheus, such as http://prometheus.monitoring:9090." }).max(500),
  }),
]);
export type Autoscaling = z.infer<typeof Autoscaling>;

/** A PodMonitor for the Prometheus operator. */
export const Monitoring = z.strictObject({
  /** Where Prometheus runs: the network policy lets it in. */
  namespace: NamespaceName.default("monitoring"),
  /** Labels by which the Prometheus selects monitors, often `release`. */
  labels: z.record(LabelKey, LabelValue).default({}),
});
export type Monitoring = z.infer<typeof Monitoring>;

/** A Secret that is there already; Lectern never sees its value. */
export const SecretReference = z.strictObject({ name: ObjectName, key: SecretKey });

/** A release of the engine's image: a tag, better with its digest. */
export const ImageTag = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(@sha256:[0-9a-f]{64})?$/, "Use a tag, better with its digest: v0.30.0@sha256:…")
  .refine((tag) => !/^latest(@|$)/.test(tag), "latest changes without notice: name a release.");

/** Labels that choose pods. Lectern's own keys are not among them: by those it tells deployments apart. */
export const PodSelector = z
  .record(LabelKey, LabelValue)
  .refine((labels) => Object.keys(labels).length > 0 && Object.keys(labels).length <= 10, "Give one to ten labels.")
  .refine((labels) => Object.keys(labels).every((key) => !key.startsWith("lectern/") && key !== "app.kubernetes.io/instance"), "Lectern's own labels cannot choose the pods of another deployment.");
