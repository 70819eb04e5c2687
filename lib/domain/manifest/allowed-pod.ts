import type { AllowList } from "./allowed";
import { asList, asRecord, isList, type Loose } from "./allowed-loose";

const podForbidden = ["hostNetwork", "hostPID", "hostIPC", "hostUsers", "shareProcessNamespace", "hostAliases", "nodeName"];
const volumeKinds = ["persistentVolumeClaim", "emptyDir", "configMap", "secret", "projected", "downwardAPI"];

/** Breaches of Pod Security "restricted", of the image list, and of what Lectern's pods never need. */
export function podBreaches(pod: Loose, allow: AllowList): string[] {
  const breaches = podForbidden
    .filter((field) => pod[field] !== undefined && pod[field] !== false)
    .map((field) => `${field} is not allowed.`);
  if (pod.automountServiceAccountToken !== false) breaches.push("Pods must not mount a token of the cluster.");
  const security = asRecord(pod.securityContext);
  breaches.push(...foreignSettings(security));
  if (security.runAsNonRoot !== true || security.runAsUser === 0) breaches.push("Pods must run as a user other than root.");
  if (asRecord(security.seccompProfile).type !== "RuntimeDefault") breaches.push("Pods must use the RuntimeDefault seccomp profile.");
  for (const volume of asList(pod.volumes)) {
    const foreign = Object.keys(volume).filter((key) => key !== "name" && !volumeKinds.includes(key));
    breaches.push(...foreign.map((key) => `A ${key} volume is not allowed.`));
    if (JSON.stringify(volume).includes('"serviceAccountToken"')) breaches.push("Pods must not mount a token of the cluster.");
  }
  const containers = [...asList(pod.containers), ...asList(pod.initContainers), ...asList(pod.ephemeralContainers)];
  return [...breaches, ...containers.flatMap((container) => containerBreaches(container, allow))];
}

function containerBreaches(container: Loose, allow: AllowList): string[] {
  const name = String(container.name);
  const security = asRecord(container.securityContext);
  const breaches = foreignSettings(security);
  if (isOffProfile(security)) breaches.push(`Container ${name} must use the RuntimeDefault seccomp profile.`);
  if (handlersOf(container).some((handler) => asRecord(handler.httpGet).host !== undefined || asRecord(handler.tcpSocket).host !== undefined)) breaches.push(`A probe or hook of container ${name} names another host.`);
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

/** Settings of a security context that only weaken it. */
function foreignSettings(security: Loose): string[] {
  const found = ["seLinuxOptions", "windowsOptions", "sysctls"].filter((field) => security[field] !== undefined).map((field) => `${field} is not allowed.`);
  const armor = asRecord(security.appArmorProfile).type;
  return armor === undefined || armor === "RuntimeDefault" ? found : [...found, "Only the RuntimeDefault AppArmor profile is allowed."];
}

function isOffProfile(security: Loose): boolean {
  return security.seccompProfile !== undefined && asRecord(security.seccompProfile).type !== "RuntimeDefault";
}

function handlersOf(container: Loose): Loose[] {
  const lifecycle = asRecord(container.lifecycle);
  return [container.startupProbe, container.readinessProbe, container.livenessProbe, lifecycle.preStop, lifecycle.postStart].map(asRecord);
}
