import "server-only";
import type { Cause } from "../api/status";
import { at, equal, isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from "../json";
import { validateClaim } from "./claims";
import { duplicate, invalidValue, required, unsupported } from "./field-error";
import { validateLabels, validateName } from "./names";
import { validateDeployment, validateJob, validatePod, validateReplicaSet } from "./workloads";

type Validator = (object: JsonObject, old: JsonObject | undefined) => Cause[];

const serviceTypes = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

function validateService(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = objectAt(object, "spec");
  const type = textAt(spec, "type") ?? "";
  const ports = listAt(spec, "ports");
  const names = new Set<string>();
  const needsPorts = type !== "ExternalName" && textAt(spec, "clusterIP") !== "None";
  const clusterIp = textAt(old, "spec", "clusterIP");
  return [
    ...(serviceTypes.includes(type) ? [] : [unsupported("spec.type", type, serviceTypes)]),
    ...(ports.length === 0 && needsPorts ? [required("spec.ports")] : []),
    ...ports.flatMap((port, index) => {
      const name = textAt(port, "name") ?? "";
      const number = numberAt(port, "port") ?? 0;
      const field = `spec.ports[${index}]`;
      const repeated = names.has(name);
      names.add(name);
      return [
        ...(name === "" && ports.length > 1 ? [required(`${field}.name`)] : []),
        ...(name !== "" && repeated ? [duplicate(`${field}.name`, name)] : []),
        ...(number < 1 || number > 65535 ? [invalidValue(`${field}.port`, number, "must be between 1 and 65535, inclusive")] : []),
      ];
    }),
    ...(clusterIp !== undefined && clusterIp !== textAt(spec, "clusterIP")
      ? [invalidValue("spec.clusterIPs[0]", at(spec, "clusterIP") ?? null, "may not change once set")]
      : []),
  ];
}

function validateScaler(object: JsonObject): Cause[] {
  const spec = objectAt(object, "spec");
  const max = numberAt(spec, "maxReplicas") ?? 0;
  const min = numberAt(spec, "minReplicas") ?? 1;
  return [
    ...(min < 1 ? [invalidValue("spec.minReplicas", min, "must be greater than or equal to 1")] : []),
    ...(max < 1 ? [invalidValue("spec.maxReplicas", max, "must be greater than 0")] : []),
    ...(max < min ? [invalidValue("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`")] : []),
  ];
}

function validateBinding(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const role = objectAt(object, "roleRef");
  const name = (textAt(role, "name") ?? "") === "" ? [required("roleRef.name")] : [];
  return old && !equal(role, at(old, "roleRef")) ? [...name, invalidValue("roleRef", role, "cannot change roleRef")] : name;
}

function validateIngress(object: JsonObject): Cause[] {
  const spec = objectAt(object, "spec");
  const isEmpty = listAt(spec, "rules").length === 0 && !isObject(spec.defaultBackend);
  return isEmpty ? [invalidValue("spec", null, "either `defaultBackend` or `rules` must be specified")] : [];
}

function validatePriority(object: JsonObject, old: JsonObject | undefined): Cause[] {
  return old && !equal(object.value, old.value) ? [invalidValue("value", object.value, "field is immutable")] : [];
}

function validateImmutableData(object: JsonObject, old: JsonObject | undefined): Cause[] {
  if (old?.immutable !== true || equal(object.data, old.data)) return [];
  return [{ reason: "FieldValueForbidden", message: "Forbidden: field is immutable when `immutable` is set", field: "data" }];
}

const validators: Record<string, Validator> = {
  Deployment: validateDeployment,
  ReplicaSet: validateReplicaSet,
  Pod: validatePod,
  Job: validateJob,
  Service: validateService,
  PersistentVolumeClaim: validateClaim,
  HorizontalPodAutoscaler: validateScaler,
  RoleBinding: validateBinding,
  ClusterRoleBinding: validateBinding,
  Ingress: validateIngress,
  PriorityClass: validatePriority,
  ConfigMap: validateImmutableData,
  Secret: validateImmutableData,
};

/** What is wrong with an object, and with its change from `old`, in the API server's words. */
export function validate(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const kind = textAt(object, "kind") ?? "";
  return [
    ...validateName(kind, textAt(object, "metadata", "name") ?? ""),
    ...validateLabels(objectAt(object, "metadata", "labels"), "metadata.labels"),
    ...(validators[kind]?.(object, old) ?? []),
  ];
}
