import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { describe, expect, it } from "vitest";
import { engines } from "../catalog-engine";
import { models, skus } from "../catalog";
import { DeploymentSpec, type DeploymentSpecInput } from "../deployment";
import { manifests } from "../manifest";
import { assertAllowed } from "./allowed";

const context = { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null };
const base = { name: "contracts", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
const repositories = engines.flatMap((engine) => engine.image?.repository ?? []);
const render = (input: Partial<DeploymentSpecInput> = {}) => {
  const objects = manifests(DeploymentSpec.parse({ ...base, ...input }), context);
  assertAllowed(objects, { namespace: "ocr", repositories });
  return objects;
};
const one = (kind: string, input: Partial<DeploymentSpecInput> = {}) => render(input).find((object) => object.kind === kind);
const text = (kind: string, input: Partial<DeploymentSpecInput> = {}) => JSON.stringify(one(kind, input));
const refusal = (input: object) => DeploymentSpec.safeParse({ ...base, ...input }).error?.message ?? "";

const everything: Partial<DeploymentSpecInput> = {
  accessMode: "ReadWriteMany",
  prefetch: true,
  disruptionBudget: true,
  autoscaling: { by: "hpa", maxReplicas: 3 },
  exposure: { kind: "ingress", host: "ocr.internal.example.com", className: "nginx-internal", tlsSecret: "ocr-tls" },
  monitoring: { labels: { release: "prometheus" } },
  hubToken: { name: "hub", key: "token" },
  imagePullSecret: "mirror",
  runtimeClassName: "nvidia",
  priorityClassName: "ocr",
};
const classes = { ServiceAccount, ConfigMap, PersistentVolumeClaim, NetworkPolicy, Job, Deployment, Service, PodDisruptionBudget, HorizontalPodAutoscaler, Ingress };

describe("every option", () => {
  it("adds its object at its place in the order of applying, and none without it", () => {
    expect(render(everything).map((object) => `${object.kind}/${object.metadata.name.replace(/-[0-9a-f]{8}$/, "-…")}`)).toEqual([
      "ServiceAccount/contracts",
      "PersistentVolumeClaim/contracts-weights",
      "NetworkPolicy/contracts",
      "NetworkPolicy/contracts-prefetch",
      "Job/contracts-prefetch-…",
      "Deployment/contracts",
      "Service/contracts",
      "PodDisruptionBudget/contracts",
      "HorizontalPodAutoscaler/contracts",
      "PodMonitor/contracts",
      "Ingress/contracts",
    ]);
  });

  it("is valid for every engine, cloud and way in", () => {
    let checked = 0;
    for (const engine of ["vllm", "sglang", "triton", "ollama", "llama-cpp"] as const)
      for (const skuId of ["aws-g6-xlarge", "gcp-g2-standard-4", "azure-nv36ads-a10-v5", "scaleway-l4-1-24g", "own-l4"])
        for (const exposure of skuId.startsWith("gcp") ? [{ kind: "load-balancer" as const }, everything.exposure] : [everything.exposure]) {
          const input = { ...everything, engine, skuId, exposure, modelId: models[0]?.id ?? "" };
          const cut = engine === "ollama" ? { autoscaling: undefined, monitoring: undefined } : engine === "llama-cpp" ? { prefetch: undefined } : {};
          for (const object of render({ ...input, ...cut })) {
            const Kind = classes[object.kind as keyof typeof classes];
            if (!Kind) continue;
            expect(() => new Kind(object as never).validate()).not.toThrow();
            checked += 1;
          }
        }
    expect(checked).toBeGreaterThan(250);
  });
});

describe("weights first (prefetch)", () => {
  it("downloads the pinned commit in a Job without a GPU, and lets the engine look names up only", () => {
    const job = text("Job", { prefetch: true });
    expect(job).toContain('"lightonai/LightOnOCR-3-1B","23d544085c886bbdace647bcfab91203299417e2"]');
    expect(job).toContain('"name":"packages"');
    expect(job).not.toContain("nvidia.com/gpu\":\"1");
    expect(job).not.toContain("HF_HUB_OFFLINE");
    expect(text("Deployment", { prefetch: true })).toContain('{"name":"HF_HUB_OFFLINE","value":"1"}');
    const [serving, download] = render({ prefetch: true }).filter((object) => object.kind === "NetworkPolicy");
    expect(JSON.stringify(serving?.spec?.egress)).not.toContain("ipBlock");
    expect(JSON.stringify(download?.spec?.egress)).toContain('"cidr":"0.0.0.0/0"');
    expect(download?.spec?.ingress).toBeUndefined();
  });

  it("has pods that neither the Service nor the engine's policy takes for the engine", () => {
    const job = one("Job", { prefetch: true });
    const template = job?.spec?.template as { metadata: { labels: Record<string, string> } };
    const selector = one("Service")?.spec?.selector as Record<string, string>;
    expect(Object.entries(selector).every(([key, value]) => template.metadata.labels[key] === value)).toBe(false);
  });

  it("is another Job for other weights, and the same for another revision", () => {
    const name = (input: Partial<DeploymentSpecInput>, revision = 1) =>
      manifests(DeploymentSpec.parse({ ...base, prefetch: true, ...input }), { ...context, revision }).find((object) => object.kind === "Job")?.metadata.name;
    expect(name({}, 1)).toBe(name({}, 2));
    expect(name({ modelId: "lightonocr-3-4b" })).not.toBe(name({}));
    expect(name({})?.length).toBeLessThanOrEqual(63);
  });
});

describe("who scales, writes the replicas", () => {
  const many = { accessMode: "ReadWriteMany" as const };
  it("leaves replicas out for a scaler, but for zero", () => {
    const autoscaling = { by: "hpa" as const, maxReplicas: 2 };
    expect(one("Deployment", { ...many, autoscaling })?.spec).not.toHaveProperty("replicas");
    expect(one("Deployment", { ...many, autoscaling, replicas: 0 })?.spec?.replicas).toBe(0);
  });

  it("scales by the queue, never by the processor", () => {
    expect(text("HorizontalPodAutoscaler", { ...many, autoscaling: { by: "hpa", maxReplicas: 2, pagesPerReplica: 12 } })).toContain(
      '"metrics":[{"type":"Pods","pods":{"metric":{"name":"vllm_num_requests_waiting"},"target":{"type":"AverageValue","averageValue":"12"}}}]',
    );
    const keda = text("ScaledObject", { ...many, autoscaling: { by: "keda", maxReplicas: 2, prometheusUrl: "http://prometheus.monitoring:9090" } });
    expect(keda).toContain('sum(vllm:num_requests_waiting{namespace=\\"ocr\\",pod=~\\"contracts-.*\\"})');
    expect(keda).toContain('"initialCooldownPeriod":1200');
    expect(keda).toContain('"fallback":{"failureThreshold":3,"replicas":1}');
    expect(keda).toContain('"ignoreNullValues":"false"');
    expect(keda).not.toContain("paused");
    expect(text("ScaledObject", { ...many, replicas: 0, autoscaling: { by: "keda", maxReplicas: 2, prometheusUrl: "http://p:9090" } })).toContain('"autoscaling.keda.sh/paused-replicas":"0"');
  });

  it("never from zero, and never beyond what one disk allows", () => {
    expect(refusal({ ...many, autoscaling: { by: "hpa", minReplicas: 0, maxReplicas: 2 } })).toContain("no metrics that could wake it");
    expect(refusal({ autoscaling: { by: "hpa", maxReplicas: 2 } })).toContain("ReadWriteOnce");
    expect(refusal({ ...many, autoscaling: { by: "hpa", minReplicas: 3, maxReplicas: 2 } })).toContain("fewer than the least");
  });

  it("never blocks a drain", () => {
    expect(one("PodDisruptionBudget", { disruptionBudget: true })?.spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: "AlwaysAllow" });
  });
});

describe("a way in is internal", () => {
  it.each([
    ["aws-g6-xlarge", '"loadBalancerClass":"service.k8s.aws/nlb"', '"service.beta.kubernetes.io/aws-load-balancer-scheme":"internal"'],
    ["gcp-g2-standard-4", '"type":"LoadBalancer"', '"networking.gke.io/load-balancer-type":"Internal"'],
    ["azure-nv36ads-a10-v5", '"type":"LoadBalancer"', '"service.beta.kubernetes.io/azure-load-balancer-internal":"true"'],
    ["scaleway-l4-1-24g", '"type":"LoadBalancer"', '"service.beta.kubernetes.io/scw-loadbalancer-private":"true"'],
    ["own-l4", '"type":"LoadBalancer"', '"loadBalancerSourceRanges":["10.0.0.0/8"'],
  ])("balancer on %s", (skuId, ...parts) => {
    const service = text("Service", { skuId, exposure: { kind: "load-balancer" } });
    for (const part of parts) expect(service).toContain(part);
  });

  it.each([
    ["aws-g6-xlarge", undefined, '"alb.ingress.kubernetes.io/scheme":"internal"', '"ingressClassName":"alb"'],
    ["gcp-g2-standard-4", undefined, '"kubernetes.io/ingress.class":"gce-internal"', '"rules"'],
    ["azure-nv36ads-a10-v5", "nginx-internal", '"nginx.ingress.kubernetes.io/proxy-read-timeout":"600"', '"ingressClassName":"nginx-internal"'],
  ])("ingress on %s", (skuId, className, ...parts) => {
    const ingress = text("Ingress", { skuId, exposure: { kind: "ingress", host: "ocr.example.internal", ...(className ? { className } : {}) } });
    for (const part of parts) expect(ingress).toContain(part);
    expect([...ingress.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path)).toEqual(["/v1/chat/completions", "/v1/models", "/health"]);
  });

  it("names no class on GKE, where it is not honoured", () => {
    const input = { skuId: "gcp-g2-standard-4", exposure: { kind: "ingress" as const, host: "ocr.example.internal" } };
    expect(one("Ingress", input)?.spec).not.toHaveProperty("ingressClassName");
    expect(one("Service", input)?.metadata.annotations).toHaveProperty(["cloud.google.com/neg"], '{"ingress": true}');
    expect(one("Service", { skuId: "gcp-g2-standard-4" })?.metadata.annotations).toEqual({ "lectern/revision": "1" });
  });

  it("is refused where it would be public", () => {
    const ingress = { kind: "ingress", host: "ocr.example.internal" };
    expect(refusal({ skuId: "azure-nv36ads-a10-v5", exposure: ingress })).toContain("Name the internal ingress class");
    expect(refusal({ skuId: "azure-nv36ads-a10-v5", exposure: { ...ingress, className: "webapprouting.kubernetes.azure.com" } })).toContain("public by default");
    expect(refusal({ exposure: { ...ingress, host: "*.example.com" } })).toContain("host name");
  });
});

describe("references", () => {
  it("give the hub's token by Secret, and let Prometheus in from its namespace", () => {
    expect(text("Deployment", { hubToken: { name: "hub", key: "token" } })).toContain('{"name":"HF_TOKEN","valueFrom":{"secretKeyRef":{"name":"hub","key":"token"}}}');
    expect(text("NetworkPolicy", { monitoring: {} })).toContain('"kubernetes.io/metadata.name":"monitoring"');
    expect(one("PodMonitor", { monitoring: { labels: { release: "p", "lectern/deployment": "other" } } })?.metadata.labels).toMatchObject({ release: "p", "lectern/deployment": "dep" });
  });

  it("asks for no spread, budget or class that was not chosen, on any size", () => {
    for (const sku of skus) expect(JSON.stringify(render({ skuId: sku.id }))).not.toMatch(/topologySpread|priorityClassName|runtimeClassName|PodDisruptionBudget|LoadBalancer/);
  });
});
