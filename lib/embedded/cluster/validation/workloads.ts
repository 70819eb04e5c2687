import "server-only";
import { matchesLabelSelector } from "../api/selectors";
import type { Cause } from "../api/status";
import { at, equal, isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from "../json";
import { validateContainers } from "./containers";
import { invalidValue, notAllowed, required, unsupported } from "./field-error";
import { validateLabels } from "./names";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function validatePodSpec(spec: Json, field: string): Cause[] {
  return [
    ...listAt(spec, "volumes").flatMap((volume, index) =>
      (textAt(volume, "name") ?? "") === "" ? [required(`${field}.volumes[${index}].name`)] : [],
    ),
    ...validateContainers(spec, field),
    ...listAt(spec, "tolerations").flatMap((toleration, index) => validateToleration(toleration, `${field}.tolerations[${index}]`)),
  ];
}

function validateToleration(toleration: Json, field: string): Cause[] {
  const effect = textAt(toleration, "effect");
  const operator = textAt(toleration, "operator") ?? "Equal";
  return [
    ...(operator === "Exists" || operator === "Equal" ? [] : [unsupported(`${field}.operator`, operator, ["Equal", "Exists"])]),
    ...(effect === undefined || effect === "" || effects.includes(effect) ? [] : [unsupported(`${field}.effect`, effect, effects)]),
  ];
}

function validateReplicas(spec: Json): Cause[] {
  const replicas = numberAt(spec, "replicas");
  return replicas !== undefined && replicas < 0 ? [invalidValue("spec.replicas", replicas, "must be greater than or equal to 0")] : [];
}

function validateTemplate(spec: Json, restartPolicies: string[]): Cause[] {
  const template = objectAt(spec, "template");
  const policy = textAt(template, "spec", "restartPolicy") ?? "";
  return [
    ...validateLabels(objectAt(template, "metadata", "labels"), "spec.template.metadata.labels"),
    ...validatePodSpec(objectAt(template, "spec"), "spec.template.spec"),
    ...(restartPolicies.includes(policy) ? [] : [unsupported("spec.template.spec.restartPolicy", policy, restartPolicies)]),
  ];
}

function validateSelector(spec: Json): Cause[] {
  const selector = at(spec, "selector");
  const labels = objectAt(spec, "template", "metadata", "labels");
  const empty = isObject(selector) && Object.keys(selector).length === 0;
  return [
    ...(selector === undefined ? [required("spec.selector")] : []),
    ...(empty ? [invalidValue("spec.selector", selector, "empty selector is invalid for deployment")] : []),
    ...(selector !== undefined && matchesLabelSelector(selector, labels)
      ? []
      : [invalidValue("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]),
  ];
}

export function validateDeployment(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = objectAt(object, "spec");
  const strategy = textAt(spec, "strategy", "type") ?? "";
  const rolling = at(spec, "strategy", "rollingUpdate");
  const deadline = numberAt(spec, "progressDeadlineSeconds") ?? 600;
  return [
    ...immutable(object, old, "selector"),
    ...validateReplicas(spec),
    ...validateSelector(spec),
    ...validateTemplate(spec, ["Always"]),
    ...(strategy === "Recreate" && rolling !== undefined
      ? [notAllowed("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")]
      : []),
    ...(strategy === "Recreate" || strategy === "RollingUpdate"
      ? []
      : [unsupported("spec.strategy", { type: strategy }, ["Recreate", "RollingUpdate"])]),
    ...(isStandstill(rolling) ? [invalidValue("spec.strategy.rollingUpdate.maxUnavailable", 0, "may not be 0 when `maxSurge` is 0")] : []),
    ...(deadline <= (numberAt(spec, "minReadySeconds") ?? 0)
      ? [invalidValue("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

function isStandstill(rolling: Json | undefined): boolean {
  const isZero = (value: Json | undefined): boolean => value === 0 || value === "0" || value === "0%";
  return isZero(at(rolling, "maxSurge")) && isZero(at(rolling, "maxUnavailable"));
}

export function validateReplicaSet(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = objectAt(object, "spec");
  return [
    ...immutable(object, old, "selector"),
    ...validateReplicas(spec),
    ...validateSelector(spec),
    ...validateTemplate(spec, ["Always"]),
  ];
}

export function validateJob(object: JsonObject, old: JsonObject | undefined): Cause[] {
  return [...immutable(object, old, "template"), ...validateTemplate(objectAt(object, "spec"), ["OnFailure", "Never"])];
}

export function validatePod(object: JsonObject, old: JsonObject | undefined): Cause[] {
  if (!old) return validatePodSpec(objectAt(object, "spec"), "spec");
  const fixed = (pod: JsonObject): JsonObject => {
    const { tolerations: _tolerations, activeDeadlineSeconds: _deadline, ...spec } = objectAt(pod, "spec");
    const images = listAt(spec, "containers").map((container) => ({ ...objectAt(container), image: null }));
    return { ...spec, containers: images };
  };
  if (equal(fixed(object), fixed(old))) return [];
  const rule =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  return [notAllowed("spec", rule)];
}

/** A field of the spec that an update may not change. */
export function immutable(object: JsonObject, old: JsonObject | undefined, field: string): Cause[] {
  const next = at(object, "spec", field);
  return old && !equal(next, at(old, "spec", field)) ? [invalidValue(`spec.${field}`, next, "field is immutable")] : [];
}
