import type { Rendering } from "./context";
import type { Json, KubeObject } from "./kube-object";
import { metadata, selectorLabels } from "./metadata";
import { enginePort } from "./supporting";

/** Private, link-local and metadata ranges: a download never needs them. */
const notTheInternet = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"];

/**
 * Both directions are closed but for: the portal's and the callers' namespaces in, DNS out, and HTTPS out while weights are downloaded.
 * A network policy cannot name hosts, so HTTPS is open to the internet until the deployment is offline.
 */
export function networkPolicy(rendering: Rendering): KubeObject {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: metadata(rendering, rendering.spec.name),
    spec: {
      podSelector: { matchLabels: selectorLabels(rendering) },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: callers(rendering).map(namespacePeer), ports: [{ protocol: "TCP", port: enginePort }] }],
      egress: [dns, ...(rendering.spec.offline ? [] : [https])],
    },
  };
}

function callers({ spec, context }: Rendering): string[] {
  // Through the API server's proxy, requests come from its tunnel agents, which run in kube-system on managed clusters.
  return [...new Set([context.portalNamespace ?? "kube-system", ...spec.callerNamespaces])].sort();
}

function namespacePeer(name: string): Json {
  return { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } };
}

const dns: Json = {
  to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } }],
  ports: [
    { protocol: "UDP", port: 53 },
    { protocol: "TCP", port: 53 },
  ],
};

const https: Json = { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: notTheInternet } }], ports: [{ protocol: "TCP", port: 443 }] };
