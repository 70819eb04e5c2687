import type { Cloud } from "../catalog-node";
import type { Exposure } from "../deployment-options";
import type { Rendering } from "./context";
import type { Json, KubeObject } from "./kube-object";
import { metadata, selectorLabels } from "./metadata";
import { enginePort } from "./vllm";

/** Addresses that are never routed on the internet (RFC 1918, RFC 6598). */
const privateRanges = ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"];
/** Google's health checks come from here. Source: docs.cloud.google.com, load balancing health checks. */
const googleHealthChecks = ["35.191.0.0/16", "130.211.0.0/22"];

/** Annotations by which each cloud's controller makes an internal balancer for a Service. Sources: the controllers' own annotation pages. */
export const internalBalancer: Record<Cloud, Record<string, string>> = {
  aws: {
    "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type": "ip",
    "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal",
  },
  gcp: { "networking.gke.io/load-balancer-type": "Internal" },
  azure: {
    "service.beta.kubernetes.io/azure-load-balancer-internal": "true",
    "service.beta.kubernetes.io/azure-load-balancer-tcp-idle-timeout": "15",
  },
  scaleway: { "service.beta.kubernetes.io/scw-loadbalancer-private": "true" },
  own: {},
};

/** Annotations of an internal Ingress; ten minutes without a byte are allowed, because a dense page takes long. */
const internalIngress: Record<Cloud, Record<string, string>> = {
  aws: {
    "alb.ingress.kubernetes.io/scheme": "internal",
    "alb.ingress.kubernetes.io/target-type": "ip",
    "alb.ingress.kubernetes.io/load-balancer-attributes": "idle_timeout.timeout_seconds=600",
    "alb.ingress.kubernetes.io/healthcheck-path": "/health",
  },
  gcp: { "kubernetes.io/ingress.class": "gce-internal" },
  azure: {},
  scaleway: {},
  own: {},
};
const nginxTimeouts = {
  "nginx.ingress.kubernetes.io/proxy-read-timeout": "600",
  "nginx.ingress.kubernetes.io/proxy-send-timeout": "600",
  "nginx.ingress.kubernetes.io/proxy-body-size": "64m",
};

/** Paths that may be reached from outside the cluster: the API key of vLLM covers only some of the others. */
export const openPaths = ["/v1/chat/completions", "/v1/models", "/health"];

/** Reachable inside the cluster; by an internal balancer where one was asked for. */
export function service(rendering: Rendering): KubeObject {
  const { spec, sku } = rendering;
  const own = metadata(rendering, spec.name);
  const ports = [{ name: "http", port: enginePort, protocol: "TCP", targetPort: "http" }];
  const selector = selectorLabels(rendering);
  if (spec.exposure?.kind !== "load-balancer") {
    return { apiVersion: "v1", kind: "Service", metadata: { ...own, annotations: { ...own.annotations, ...backendMark(rendering) } }, spec: { type: "ClusterIP", selector, ports } };
  }
  const balancerClass = spec.exposure.loadBalancerClass ?? (sku.cloud === "aws" ? "service.k8s.aws/nlb" : undefined);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...own, annotations: { ...own.annotations, ...internalBalancer[sku.cloud] } },
    spec: {
      type: "LoadBalancer",
      ...(balancerClass === undefined ? {} : { loadBalancerClass: balancerClass }),
      // Should the balancer become public all the same, nobody from the internet gets through.
      loadBalancerSourceRanges: privateRanges,
      selector,
      ports,
    },
  };
}

/** GKE's internal Ingress balances to pods themselves (network endpoint groups), which the Service must say. Source: docs.cloud.google.com, internal-load-balance-ingress. */
function backendMark({ spec, sku }: Rendering): Record<string, string> {
  const isGoogles = sku.cloud === "gcp" && spec.exposure?.kind === "ingress" && spec.exposure.className === undefined;
  return isGoogles ? { "cloud.google.com/neg": '{"ingress": true}' } : {};
}

/** An internal Ingress for the OCR and health paths alone. */
export function ingress(rendering: Rendering): KubeObject[] {
  const { spec, sku } = rendering;
  if (spec.exposure?.kind !== "ingress") return [];
  const own = metadata(rendering, spec.name);
  const className = classOf(spec.exposure, sku.cloud);
  const annotations = className === undefined || className === "alb" ? internalIngress[sku.cloud] : nginxTimeouts;
  const { host, tlsSecret } = spec.exposure;
  return [
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { ...own, annotations: { ...own.annotations, ...annotations } },
      spec: {
        ...(className === undefined ? {} : { ingressClassName: className }),
        ...(tlsSecret === undefined ? {} : { tls: [{ hosts: [host], secretName: tlsSecret }] }),
        rules: [{ host, http: { paths: openPaths.map((path) => ingressPath(path, spec.name)) } }],
      },
    },
  ];
}

function ingressPath(path: string, name: string): Json {
  return { path, pathType: "Exact", backend: { service: { name, port: { name: "http" } } } };
}

/** GKE does not honour `ingressClassName` for its own controller: there the annotation names the class. */
function classOf(exposure: Extract<Exposure, { kind: "ingress" }>, cloud: Cloud): string | undefined {
  return exposure.className ?? (cloud === "aws" ? "alb" : undefined);
}

/** Who reaches the pods because of the exposure: the controller's namespace, or addresses where the cloud balances past the cluster. */
export function exposurePeers({ spec, sku }: Rendering): Json[] {
  if (!spec.exposure) return [];
  const blocks = (ranges: readonly string[]): Json[] => ranges.map((cidr) => ({ ipBlock: { cidr } }));
  if (spec.exposure.kind === "ingress" && classOf(spec.exposure, sku.cloud) !== undefined && classOf(spec.exposure, sku.cloud) !== "alb") {
    const namespace = spec.exposure.controllerNamespace ?? (sku.cloud === "azure" ? "app-routing-system" : "ingress-nginx");
    return [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } }];
  }
  return [...blocks(privateRanges), ...(sku.cloud === "gcp" ? blocks(googleHealthChecks) : [])];
}
