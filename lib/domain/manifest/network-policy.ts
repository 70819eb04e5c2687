import type { Rendering } from "./context";
import { engineProcess } from "./engine-process";
import { exposurePeers } from "./exposure";
import type { Json, KubeObject } from "./kube-object";
import { metadata, prefetchSelector, selectorLabels } from "./metadata";

/** Private, link-local and metadata ranges: a download never needs them. */
const notTheInternet = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"];

/**
 * Both directions are closed but for: the portal's and the callers' namespaces in, DNS out, and HTTPS out while weights are downloaded.
 * A network policy cannot name hosts, so HTTPS is open to the internet until the deployment is offline.
 */
export function networkPolicy(rendering: Rendering): KubeObject {
  const { spec } = rendering;
  const { port, metricsPort } = engineProcess(rendering);
  const from = [...callers(rendering).map(namespacePeer), ...exposurePeers(rendering)];
  const scraper = spec.monitoring ? [{ from: [namespacePeer(spec.monitoring.namespace)], ports: [tcp(metricsPort ?? port)] }] : [];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: metadata(rendering, spec.name),
    spec: {
      podSelector: { matchLabels: selectorLabels(rendering) },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from, ports: [tcp(port)] }, ...scraper],
      egress: [dns(), ...(spec.offline || spec.prefetch ? [] : [https()])],
    },
  };
}

/** The download alone may leave the cluster, and nobody may call it. */
export function prefetchPolicy(rendering: Rendering): KubeObject[] {
  if (!rendering.spec.prefetch) return [];
  return [
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: metadata(rendering, `${rendering.spec.name}-prefetch`),
      spec: { podSelector: { matchLabels: prefetchSelector(rendering) }, policyTypes: ["Ingress", "Egress"], egress: [dns(), https()] },
    },
  ];
}

function callers({ spec, context }: Rendering): string[] {
  // Through the API server's proxy, requests come from its tunnel agents, which run in kube-system on managed clusters.
  return [...new Set([context.portalNamespace ?? "kube-system", ...spec.callerNamespaces])].sort();
}

function namespacePeer(name: string): Json {
  return { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } };
}

const tcp = (port: number): Json => ({ protocol: "TCP", port });

const dns = (): Json => ({
  to: [namespacePeer("kube-system")],
  ports: [
    { protocol: "UDP", port: 53 },
    { protocol: "TCP", port: 53 },
  ],
});

const https = (): Json => ({ to: [{ ipBlock: { cidr: "0.0.0.0/0", except: notTheInternet } }], ports: [{ protocol: "TCP", port: 443 }] });
