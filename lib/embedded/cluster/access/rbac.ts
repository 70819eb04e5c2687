import "server-only";
import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from "../json";
import { nameOf, namespaceOf, type KubeObject } from "../object";
import type { Store } from "../store/store";
import type { User } from "./user";

export type ResourceAttributes = { verb: string; group: string; resource: string; subresource: string; namespace: string; name: string };
export type Decision = { allowed: boolean; reason?: string };

type Grant = { binding: KubeObject; rules: JsonObject[]; reason: string };

function texts(rule: JsonObject, field: string): string[] {
  return listAt(rule, field).filter((item) => typeof item === "string");
}

function subjectMatches(subject: Json, user: User): boolean {
  const name = textAt(subject, "name") ?? "";
  switch (textAt(subject, "kind")) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount":
      return user.name === `system:serviceaccount:${textAt(subject, "namespace") ?? ""}:${name}`;
    default:
      return false;
  }
}

function describe(subject: Json): string {
  const name = textAt(subject, "name") ?? "";
  return textAt(subject, "kind") === "ServiceAccount"
    ? `ServiceAccount "${name}/${textAt(subject, "namespace") ?? ""}"`
    : `${textAt(subject, "kind")} "${name}"`;
}

/** Role-based access control over the roles and bindings in the store. */
export class Rbac {
  constructor(private readonly store: Store) {}

  /** May the user do this? Members of system:masters may do everything, without a reason, as on a real server. */
  decide(user: User, wanted: ResourceAttributes): Decision {
    if (user.groups.includes("system:masters")) return { allowed: true };
    const grant = this.grants(user, wanted.namespace).find(({ rules }) => rules.some((rule) => covers(rule, wanted)));
    return grant ? { allowed: true, reason: grant.reason } : { allowed: false };
  }

  decidePath(user: User, path: string, verb: string): Decision {
    if (user.groups.includes("system:masters")) return { allowed: true };
    const grant = this.grants(user, "").find(({ rules }) => rules.some((rule) => coversPath(rule, path, verb)));
    return grant ? { allowed: true, reason: grant.reason } : { allowed: false };
  }

  rules(user: User, namespace: string): JsonObject[] {
    if (user.groups.includes("system:masters")) {
      return [
        { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
        { verbs: ["*"], nonResourceURLs: ["*"] },
      ];
    }
    return this.grants(user, namespace).flatMap(({ rules }) => rules);
  }

  private grants(user: User, namespace: string): Grant[] {
    const wide = this.store.list("rbac.authorization.k8s.io/clusterrolebindings");
    const local = namespace === "" ? [] : this.store.list("rbac.authorization.k8s.io/rolebindings", namespace);
    return [...wide, ...local].flatMap((binding) => {
      const subject = listAt(binding, "subjects").find((item) => subjectMatches(item, user));
      return subject === undefined ? [] : [this.grant(binding, subject)];
    });
  }

  private grant(binding: KubeObject, subject: Json): Grant {
    const kind = textAt(binding, "roleRef", "kind") ?? "";
    const name = textAt(binding, "roleRef", "name") ?? "";
    const role = kind === "Role" ? this.store.get("rbac.authorization.k8s.io/roles", namespaceOf(binding), name) : this.clusterRole(name);
    const rules = listAt(role, "rules").filter(isObject);
    const where = namespaceOf(binding) === "" ? "" : `/${namespaceOf(binding)}`;
    const reason = `RBAC: allowed by ${binding.kind} "${nameOf(binding)}${where}" of ${kind} "${name}" to ${describe(subject)}`;
    return { binding, rules, reason };
  }

  private clusterRole(name: string): KubeObject | undefined {
    return this.store.get("rbac.authorization.k8s.io/clusterroles", "", name);
  }
}

function covers(rule: JsonObject, wanted: ResourceAttributes): boolean {
  const full = wanted.subresource === "" ? wanted.resource : `${wanted.resource}/${wanted.subresource}`;
  const named = texts(rule, "resourceNames");
  const has = (field: string, ...values: string[]): boolean => texts(rule, field).some((item) => item === "*" || values.includes(item));
  return (
    has("verbs", wanted.verb) &&
    has("apiGroups", wanted.group) &&
    has("resources", full, ...(wanted.subresource === "" ? [] : [`*/${wanted.subresource}`])) &&
    (named.length === 0 || named.includes(wanted.name))
  );
}

function coversPath(rule: JsonObject, path: string, verb: string): boolean {
  const isVerb = texts(rule, "verbs").some((item) => item === "*" || item === verb);
  return (
    isVerb &&
    texts(rule, "nonResourceURLs").some(
      (item) => item === "*" || item === path || (item.endsWith("*") && path.startsWith(item.slice(0, -1))),
    )
  );
}

export function attributesOf(spec: Json | undefined): ResourceAttributes {
  const given = objectAt(spec, "resourceAttributes");
  const text = (field: string): string => textAt(given, field) ?? "";
  return {
    verb: text("verb"),
    group: text("group"),
    resource: text("resource"),
    subresource: text("subresource"),
    namespace: text("namespace"),
    name: text("name"),
  };
}
