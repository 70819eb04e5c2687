import "server-only";
import type { Cause } from "../api/status";
import { at, isObject, listAt, numberAt, objectAt, textAt, textMap, type Json } from "../json";
import { quantityValue } from "../quantity";
import { duplicate, invalidValue, missing, required, unsupported } from "./field-error";
import { validateLabelName } from "./names";

const portRule = "must be between 1 and 65535, inclusive";
const pullPolicies = ["Always", "IfNotPresent", "Never"];

export function validateContainers(spec: Json, field: string): Cause[] {
  const containers = listAt(spec, "containers");
  if (containers.length === 0) return [required(`${field}.containers`)];
  const volumes = new Set(listAt(spec, "volumes").map((volume) => textAt(volume, "name") ?? ""));
  const seen = new Set<string>();
  return [
    ...listAt(spec, "initContainers").flatMap((container, index) =>
      validateContainer(container, `${field}.initContainers[${index}]`, { volumes, seen }),
    ),
    ...containers.flatMap((container, index) => validateContainer(container, `${field}.containers[${index}]`, { volumes, seen })),
  ];
}

function validateContainer(container: Json, field: string, known: { volumes: Set<string>; seen: Set<string> }): Cause[] {
  const name = textAt(container, "name") ?? "";
  const repeated = known.seen.has(name) ? [duplicate(`${field}.name`, name)] : [];
  known.seen.add(name);
  const image = textAt(container, "image") ?? "";
  const policy = textAt(container, "imagePullPolicy");
  return [
    ...(name === "" ? [required(`${field}.name`)] : validateLabelName(name, `${field}.name`)),
    ...repeated,
    ...(image === "" ? [required(`${field}.image`)] : []),
    ...listAt(container, "ports").flatMap((port, index) =>
      validatePort(at(port, "containerPort"), `${field}.ports[${index}].containerPort`),
    ),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((probe) => validateProbe(at(container, probe), `${field}.${probe}`)),
    ...listAt(container, "volumeMounts").flatMap((mount, index) => validateMount(mount, `${field}.volumeMounts[${index}]`, known.volumes)),
    ...(policy === undefined || pullPolicies.includes(policy) ? [] : [unsupported(`${field}.imagePullPolicy`, policy, pullPolicies)]),
    ...validateResources(objectAt(container, "resources"), `${field}.resources`),
  ];
}

function validatePort(port: Json | undefined, field: string): Cause[] {
  if (typeof port === "string") return [];
  return typeof port === "number" && port >= 1 && port <= 65535 ? [] : [invalidValue(field, port, portRule)];
}

function validateProbe(probe: Json | undefined, field: string): Cause[] {
  if (!isObject(probe)) return [];
  const handlers = ["exec", "httpGet", "tcpSocket", "grpc"].filter((name) => isObject(probe[name]));
  if (handlers.length === 0) return [required(field, "must specify a handler type")];
  const negative = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"].filter(
    (name) => (numberAt(probe, name) ?? 0) < 0,
  );
  return [
    ...(isObject(probe.httpGet) ? validatePort(probe.httpGet.port, `${field}.httpGet.port`) : []),
    ...negative.map((name) => invalidValue(`${field}.${name}`, probe[name], "must be greater than or equal to 0")),
  ];
}

function validateMount(mount: Json, field: string, volumes: Set<string>): Cause[] {
  const name = textAt(mount, "name") ?? "";
  if (name === "") return [required(`${field}.name`)];
  if (!volumes.has(name)) return [missing(`${field}.name`, name)];
  return (textAt(mount, "mountPath") ?? "") === "" ? [required(`${field}.mountPath`)] : [];
}

/** Whether a resource is counted in whole devices, such as nvidia.com/gpu. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.startsWith("kubernetes.io/");
}

function validateResources(resources: Json, field: string): Cause[] {
  const limits = textMap(resources, "limits");
  const requests = textMap(resources, "requests");
  const whole = (list: Record<string, string>, name: string): Cause[] =>
    Object.entries(list)
      .filter(([key, value]) => isExtended(key) && !Number.isInteger(quantityValue(value)))
      .map(([key, value]) => invalidValue(`${field}.${name}[${key}]`, value, "must be an integer"));
  return [
    ...whole(limits, "limits"),
    ...whole(requests, "requests"),
    ...Object.entries(requests).flatMap(([name, request]) => compareWithLimit({ name, request, limit: limits[name] }, field)),
  ];
}

function compareWithLimit({ name, request, limit }: { name: string; request: string; limit: string | undefined }, field: string): Cause[] {
  if (limit === undefined)
    return isExtended(name) ? [required(`${field}.limits`, "Limit must be set for non overcommitable resources")] : [];
  const asked = quantityValue(request) ?? 0;
  const most = quantityValue(limit) ?? 0;
  if (isExtended(name) && asked !== most) return [invalidValue(`${field}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
  return asked > most ? [invalidValue(`${field}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)] : [];
}
