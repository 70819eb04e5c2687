import "server-only";
import { at, isObject, listAt, textAt, textMap, type Json, type JsonObject } from "../json";
import { badRequest } from "./status";

type Requirement = { key: string; operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt"; values: string[] };

export function meets({ key, operator, values }: Requirement, labels: JsonObject): boolean {
  const value = textAt(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
  }
}

export function toRequirement(expression: Json): Requirement | undefined {
  const key = textAt(expression, "key");
  const operator = textAt(expression, "operator");
  const values = listAt(expression, "values").filter((value) => typeof value === "string");
  if (key === undefined) return undefined;
  switch (operator) {
    case "In":
    case "NotIn":
    case "Exists":
    case "DoesNotExist":
    case "Gt":
    case "Lt":
      return { key, operator, values };
    default:
      return undefined;
  }
}

/** A LabelSelector object (matchLabels and matchExpressions); an empty one matches everything, an absent one nothing. */
export function matchesLabelSelector(selector: Json | undefined, labels: JsonObject): boolean {
  if (!isObject(selector)) return false;
  const wanted = Object.entries(textMap(selector, "matchLabels"));
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  return listAt(selector, "matchExpressions").every((expression) => {
    const requirement = toRequirement(expression);
    return requirement !== undefined && meets(requirement, labels);
  });
}

/** A plain map of labels, as a Service selects pods. */
export function matchesMap(selector: JsonObject, labels: JsonObject): boolean {
  const wanted = Object.entries(textMap(selector));
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

const name = "[A-Za-z0-9][-A-Za-z0-9_./]*";
const setPattern = new RegExp(`^(${name})\\s+(in|notin)\\s*\\(([^)]*)\\)$`);
const equalityPattern = new RegExp(`^(${name})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const existsPattern = new RegExp(`^(!?)\\s*(${name})$`);

function parseRequirement(term: string): Requirement {
  const set = setPattern.exec(term);
  if (set) {
    const [, key = "", operator, values = ""] = set;
    return { key, operator: operator === "in" ? "In" : "NotIn", values: values.split(",").map((value) => value.trim()) };
  }
  const equality = equalityPattern.exec(term);
  if (equality) {
    const [, key = "", operator, value = ""] = equality;
    return { key, operator: operator === "!=" ? "NotIn" : "In", values: [value] };
  }
  const exists = existsPattern.exec(term);
  if (exists) return { key: exists[2] ?? "", operator: exists[1] === "!" ? "DoesNotExist" : "Exists", values: [] };
  const token = /^(==|=|!=|[^A-Za-z0-9\s]+)/.exec(term)?.[1] ?? term;
  throw badRequest(`found '${token}', expected: !, identifier, or 'end of string'`);
}

/** Splits at commas that are not inside the parentheses of a set. */
function splitTerms(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((term) => term.trim());
}

export type ObjectFilter = (object: JsonObject) => boolean;

export function parseLabelSelector(text: string): ObjectFilter {
  if (text.trim() === "") return () => true;
  const requirements = splitTerms(text).map(parseRequirement);
  return (object) => {
    const labels = at(object, "metadata", "labels");
    return requirements.every((requirement) => meets(requirement, isObject(labels) ? labels : {}));
  };
}

/** Fields that a kind may be selected by; every kind knows its name and namespace. */
const selectable: Record<string, string[]> = {
  Pod: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  Event: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  Namespace: ["status.phase"],
  Node: ["spec.unschedulable"],
  Secret: ["type"],
  ReplicaSet: ["status.replicas"],
  Job: ["status.successful"],
};

export function parseFieldSelector(text: string, kind: string): ObjectFilter {
  if (text.trim() === "") return () => true;
  const known = ["metadata.name", "metadata.namespace", ...(selectable[kind] ?? [])];
  const tests = splitTerms(text).map((term) => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
    if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
    const [, field = "", operator, value = ""] = match;
    if (!known.includes(field)) throw badRequest(`field label not supported: ${field}`);
    return { path: field.split("."), isEqual: operator !== "!=", value };
  });
  return (object) => tests.every(({ path, isEqual, value }) => (String(at(object, ...path) ?? "") === value) === isEqual);
}
