import { canonicalJson } from "../canonical-json";
import { diffObject } from "../diff";
import { isRecord, keysOf, keyStep, pathText } from "../diff-path";
import { DomainError } from "../errors";
import { applyPatch } from "./json-patch";
import type { KubeObject } from "./kube-object";
import { deploymentLabel, environmentLabel, overridesAnnotation } from "./metadata";
import { reachProblem } from "./overlay-reach";
import type { Override } from "./overlay-schema";
import { strategicMerge } from "./strategic-merge";

type Loose = Record<string, unknown>;

/**
 * The objects with the overrides of a spec, and on each changed one an annotation that names the changed paths. What an object is, where
 * it is and what it selects stays. Throws DomainError `unprocessable` for an override that does not apply or reaches further.
 */
export function withOverrides(objects: readonly KubeObject[], overrides: readonly Override[] = []): KubeObject[] {
  if (overrides.length === 0) return [...objects];
  const changed = new Map<KubeObject, KubeObject>();
  for (const override of overrides) {
    const target = targetOf(objects, override);
    changed.set(target, overridden(changed.get(target) ?? target, override));
  }
  return objects.map((object) => {
    const after = changed.get(object);
    return after ? marked(object, after) : object;
  });
}

function targetOf(objects: readonly KubeObject[], { kind, name }: Override): KubeObject {
  const found = objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  const [target] = found;
  const what = name === undefined ? kind : `${kind} ${name}`;
  if (!target) throw new DomainError("unprocessable", `An override is for a ${what}, and this deployment has none.`);
  if (found.length > 1) throw new DomainError("unprocessable", `This deployment has ${found.length} objects of the kind ${kind}: name the one to override.`);
  return target;
}

function overridden(object: KubeObject, override: Override): KubeObject {
  const after = override.patch ? applyPatch(object, override.patch) : strategicMerge(object, override.merge ?? {});
  const what = `${object.kind} ${object.metadata.name}`;
  if (!isRecord(after) || !isRecord(after.metadata) || canonicalJson(identityOf(after)) !== canonicalJson(identityOf(object))) {
    throw new DomainError("unprocessable", `An override of ${what} changes what the object is, where it is or what it belongs to: kind, name, namespace, Lectern's labels, selectors, owners and targets stay.`);
  }
  const reach = reachProblem(object, after);
  if (reach) throw new DomainError("unprocessable", `An override of ${what} reaches further than it may. ${reach}`);
  const twice = firstTwice(after, "");
  if (twice) throw new DomainError("unprocessable", `An override of ${what} leaves ${twice} there twice. Replace the one that is there.`);
  return after as KubeObject; // type, name, namespace and labels are those of the object
}

/** What no override may touch; a field that must be absent counts too. */
function identityOf(object: Loose): unknown[] {
  const metadata = mapOf(object.metadata);
  const spec = mapOf(object.spec);
  const template = mapOf(mapOf(spec.template).metadata);
  const ours = (labels: unknown) => Object.entries(mapOf(labels)).filter(([key]) => key === deploymentLabel || key === environmentLabel || key.startsWith("app.kubernetes.io/"));
  const backends = listOf(spec.rules).flatMap((rule) => listOf(mapOf(rule.http).paths).map((path) => [path.path, path.pathType, path.backend]));
  return [
    Object.keys(object).sort(),
    object.apiVersion,
    object.kind,
    metadata.name,
    metadata.namespace,
    ["generateName", "ownerReferences", "finalizers", "managedFields"].map((key) => metadata[key] ?? null),
    Object.fromEntries(ours(metadata.labels)),
    Object.fromEntries(ours(template.labels)),
    ["selector", "podSelector", "scaleTargetRef", "namespaceSelector", "defaultBackend", "volumeName", "dataSource", "dataSourceRef"].map((key) => spec[key] ?? null),
    mapOf(spec.template).spec === undefined ? null : mapOf(mapOf(spec.template).spec).serviceAccountName,
    backends,
  ];
}

/** Where a list with keys has the same key twice: the API server would refuse it, or take one at random. */
function firstTwice(value: unknown, name: string): string | null {
  if (isRecord(value)) return Object.entries(value).reduce<string | null>((found, [key, inner]) => found ?? firstTwice(inner, key), null);
  if (!Array.isArray(value)) return null;
  const items = value.filter(isRecord);
  const keys = items.length > 0 && items.length === value.length ? keysOf(name, [items]) : null;
  const texts = keys ? items.map((item) => `${name}${pathText([keyStep(item, keys)])}`) : [];
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  return twice ?? items.reduce<string | null>((found, item) => found ?? firstTwice(item, name), null);
}

function marked(before: KubeObject, after: KubeObject): KubeObject {
  const paths = [...new Set(diffObject(before, after).map((change) => change.path))];
  if (paths.length === 0) return after;
  const annotations = { ...after.metadata.annotations, [overridesAnnotation]: JSON.stringify(paths) };
  return { ...after, metadata: { ...after.metadata, annotations } };
}

function mapOf(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
