import "server-only";
import type { Cause } from "../api/status";
import { textMap, type JsonObject } from "../json";
import { invalidValue, required } from "./field-error";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'example.com', regex used for validation is '${subdomain}')`;
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character " +
  `(e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
const serviceLabel = "[a-z]([-a-z0-9]*[a-z0-9])?";
const serviceRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character " +
  `(e.g. 'my-name',  or 'abc-123', regex used for validation is '${serviceLabel}')`;

type NameRule = { pattern: RegExp; text: string; longest: number };
const rules = {
  subdomain: { pattern: new RegExp(`^${subdomain}$`), text: subdomainRule, longest: 253 },
  label: { pattern: new RegExp(`^${label}$`), text: labelRule, longest: 63 },
  service: { pattern: new RegExp(`^${serviceLabel}$`), text: serviceRule, longest: 63 },
} satisfies Record<string, NameRule>;

function ruleOf(kind: string): NameRule | undefined {
  if (kind === "Namespace") return rules.label;
  if (kind === "Service") return rules.service;
  // Names of roles and bindings are path segments: they may hold colons.
  if (/^(Cluster)?Role(Binding)?$/.test(kind)) return undefined;
  return rules.subdomain;
}

export function validateName(kind: string, name: string, field = "metadata.name"): Cause[] {
  if (name === "") return [required(field, "name or generateName is required")];
  const rule = ruleOf(kind);
  return rule ? checkName(name, rule, field) : [];
}

export function validateLabelName(name: string, field: string): Cause[] {
  return checkName(name, rules.label, field);
}

function checkName(name: string, rule: NameRule, field: string): Cause[] {
  if (name.length > rule.longest) return [invalidValue(field, name, `must be no more than ${rule.longest} characters`)];
  return rule.pattern.test(name) ? [] : [invalidValue(field, name, rule.text)];
}

const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

export function validateLabels(labels: JsonObject, field: string): Cause[] {
  return Object.values(textMap(labels)).flatMap((value) => {
    if (value.length > 63) return [invalidValue(field, value, "must be no more than 63 characters")];
    if (valuePattern.test(value)) return [];
    const rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
      "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    return [invalidValue(field, value, rule)];
  });
}
