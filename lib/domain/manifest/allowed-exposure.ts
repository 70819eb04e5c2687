import { asList, asRecord, type Loose } from "./allowed-loose";

/** Annotations that make a Service's balancer internal, one of them is needed; own clusters have none, there the source ranges count. */
const internalMarks: Record<string, string> = {
  "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal",
  "networking.gke.io/load-balancer-type": "Internal",
  "service.beta.kubernetes.io/azure-load-balancer-internal": "true",
  "service.beta.kubernetes.io/scw-loadbalancer-private": "true",
};
const privateRange = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:)/;
const leastPrefix: Record<string, number> = { "10.": 8, "192.168.": 16, "172.": 12, "100.": 10, f: 7 };

/** Ways in which a Service or an Ingress would be reached from outside the company's network, or lead to what is not the OCR engine. */
export function exposureBreaches(object: Loose): string[] {
  return object.kind === "Service" ? serviceBreaches(object) : ingressBreaches(object);
}

function serviceBreaches(object: Loose): string[] {
  const spec = asRecord(object.spec);
  const breaches = spec.externalIPs !== undefined || spec.externalName !== undefined ? ["The Service names an external address."] : [];
  if (spec.type === "ClusterIP") return breaches;
  if (spec.type !== "LoadBalancer") return [...breaches, "The Service would get an address outside the cluster: only ClusterIP, or an internal balancer, is allowed."];
  const annotations = asRecord(asRecord(object.metadata).annotations);
  const ranges = Array.isArray(spec.loadBalancerSourceRanges) ? spec.loadBalancerSourceRanges.map(String) : [];
  const marks = Object.entries(internalMarks).filter(([key]) => annotations[key] !== undefined);
  const isOpen = ranges.length === 0 || !ranges.every(isPrivateRange) || marks.some(([key, value]) => annotations[key] !== value);
  return isOpen ? [...breaches, "The Service would get a public balancer: only ClusterIP, or a balancer for private addresses, is allowed."] : breaches;
}

/** Whether an address range lies within the private ones. */
export function isPrivateRange(cidr: string): boolean {
  const [address = "", prefix = ""] = cidr.split("/");
  const start = Object.keys(leastPrefix).find((each) => address.startsWith(each));
  return privateRange.test(address) && start !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) >= (leastPrefix[start] ?? 128);
}

/** Annotations by which an Ingress runs text in its controller. */
const snippet = /(snippet|auth-url|auth-signin|configuration-|lua)/;
const publicClasses = new Set(["gce", "webapprouting.kubernetes.azure.com"]);

function ingressBreaches(object: Loose): string[] {
  const spec = asRecord(object.spec);
  const annotations = asRecord(asRecord(object.metadata).annotations);
  const byAnnotation = annotations["kubernetes.io/ingress.class"];
  const named = [spec.ingressClassName, byAnnotation].filter((each) => each !== undefined).map(String);
  const scheme = annotations["alb.ingress.kubernetes.io/scheme"];
  const isPublic = named.length === 0 || named.some((each) => publicClasses.has(each)) || (named.includes("alb") && scheme !== "internal") || (scheme !== undefined && scheme !== "internal");
  const hosts = asList(spec.rules).map((rule) => rule.host);
  return [
    ...(isPublic ? ["The Ingress would be public: name an internal class."] : []),
    ...(Object.keys(annotations).some((key) => snippet.test(key)) ? ["The Ingress carries text for its controller to run: such annotations are not allowed."] : []),
    ...(hosts.length === 0 || hosts.some((host) => typeof host !== "string" || host === "" || host.includes("*")) ? ["The Ingress must name its host, without a wildcard."] : []),
  ];
}

/** A policy that selects every pod would be somebody else's business; one that lets everybody in is none. */
export function policyBreaches(object: Loose): string[] {
  const spec = asRecord(object.spec);
  const open = asList(spec.ingress).some((rule) => asList(rule.from).length === 0);
  return open ? ["The NetworkPolicy would let everybody in."] : [];
}
