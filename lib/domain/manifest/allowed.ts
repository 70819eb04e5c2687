import { DomainError, type FieldError } from "../errors";

type Loose = { [key: string]: unknown };

const kinds = new Set([
  "v1/ServiceAccount",
  "v1/PersistentVolumeClaim",
  "networking.k8s.io/v1/NetworkPolicy",
  "apps/v1/Deployment",
  "v1/Service",
]);

const podForbidden = ["hostNetwork", "hostPID", "hostIPC", "hostUsers", "shareProcessNamespace"];
const volumeKinds = ["persistentVolumeClaim", "emptyDir", "configMap", "secret", "projected", "downwardAPI"];

/** What may be applied: the namespace that the server chose and the repositories of the catalogue. */
export type AllowList = { namespace: string; repositories: readonly string[] };

/**
 * The last check before anything reaches a cluster: kinds, namespace, Pod Security "restricted", image repositories, limits.
 * Throws DomainError `unprocessable` with every breach.
 */
export function assertAllowed(objects: readonly object[], allow: AllowList): void {
  const breaches = objects.flatMap((object, index) =>
    objectBreaches(asRecord(object), allow).map((message) => ({ path: String(index), message })),
  );
  if (breaches.length > 0) {
    throw new DomainError("unprocessable", `The manifests break the rules for what Lectern may apply: ${breaches[0]?.message}`, {
      fields: breaches satisfies FieldError[],
    });
  }
}

function objectBreaches(object: Loose, allow: AllowList): string[] {
  const kind = `${String(object.apiVersion)}/${String(object.kind)}`;
  if (!kinds.has(kind)) return [`${kind} is not a kind that Lectern applies.`];
  const breaches: string[] = [];
  if (asRecord(object.metadata).namespace !== allow.namespace) breaches.push(`${kind} is not in the namespace "${allow.namespace}".`);
  const spec = asRecord(object.spec);
  if (object.kind === "Service" && spec.type !== "ClusterIP")
    breaches.push("The Service would get an address outside the cluster: only ClusterIP is allowed.");
  if (object.kind === "Service" && (spec.externalIPs !== undefined || spec.externalName !== undefined))
    breaches.push("The Service names an external address.");
  if (object.kind === "Deployment") breaches.push(...podBreaches(asRecord(asRecord(spec.template).spec), allow));
  return breaches;
}

function podBreaches(pod: Loose, allow: AllowList): string[] {
  const breaches = podForbidden
    .filter((field) => pod[field] !== undefined && pod[field] !== false)
    .map((field) => `${field} is not allowed.`);
  const security = asRecord(pod.securityContext);
  if (security.runAsNonRoot !== true || security.runAsUser === 0) breaches.push("Pods must run as a user other than root.");
  if (asRecord(security.seccompProfile).type !== "RuntimeDefault") breaches.push("Pods must use the RuntimeDefault seccomp profile.");
  for (const volume of asList(pod.volumes)) {
    const foreign = Object.keys(volume).filter((key) => key !== "name" && !volumeKinds.includes(key));
    breaches.push(...foreign.map((key) => `A ${key} volume is not allowed.`));
  }
  const containers = [...asList(pod.containers), ...asList(pod.initContainers), ...asList(pod.ephemeralContainers)];
  return [...breaches, ...containers.flatMap((container) => containerBreaches(container, allow))];
}

function containerBreaches(container: Loose, allow: AllowList): string[] {
  const name = String(container.name);
  const security = asRecord(container.securityContext);
  const breaches: string[] = [];
  if (security.privileged === true || security.allowPrivilegeEscalation !== false) breaches.push(`Container ${name} may gain privileges.`);
  if (security.runAsNonRoot === false || security.runAsUser === 0) breaches.push(`Container ${name} would run as root.`);
  const capabilities = asRecord(security.capabilities);
  if (!isList(capabilities.drop) || !capabilities.drop.includes("ALL")) breaches.push(`Container ${name} must drop all capabilities.`);
  if (isList(capabilities.add) && capabilities.add.length > 0) breaches.push(`Container ${name} adds capabilities.`);
  if (security.procMount !== undefined && security.procMount !== "Default") breaches.push(`Container ${name} unmasks /proc.`);
  if (asList(container.ports).some((port) => port.hostPort !== undefined)) breaches.push(`Container ${name} takes a port of the node.`);
  if (!allow.repositories.includes(repositoryOf(String(container.image))))
    breaches.push(`The image of container ${name} is not from an allowed repository.`);
  if (asRecord(asRecord(container.resources).limits).memory === undefined) breaches.push(`Container ${name} has no memory limit.`);
  return breaches;
}

function repositoryOf(image: string): string {
  const untagged = image.split("@")[0] ?? "";
  const colon = untagged.lastIndexOf(":");
  return colon > untagged.lastIndexOf("/") ? untagged.slice(0, colon) : untagged;
}

function asRecord(value: unknown): Loose {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function asList(value: unknown): Loose[] {
  return isList(value) ? value.map(asRecord) : [];
}
