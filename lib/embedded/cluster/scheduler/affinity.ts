import "server-only";
import { meets, toRequirement } from "../api/selectors";
import { isObject, listAt, objectAt, textMap, type Json, type JsonObject } from "../json";
import { labelsOf, nameOf, type KubeObject } from "../object";

function matchesTerm(term: Json, node: KubeObject): boolean {
  const test = (expressions: Json[], labels: JsonObject): boolean =>
    expressions.every((expression) => {
      const requirement = toRequirement(expression);
      return requirement !== undefined && meets(requirement, labels);
    });
  const expressions = listAt(term, "matchExpressions");
  const fields = listAt(term, "matchFields");
  if (expressions.length + fields.length === 0) return false;
  return test(expressions, labelsOf(node)) && test(fields, { "metadata.name": nameOf(node) });
}

/** Terms are alternatives; the expressions of one term must all hold. */
export function matchesNodeSelector(selector: Json | undefined, node: KubeObject): boolean {
  return listAt(selector, "nodeSelectorTerms").some((term) => matchesTerm(term, node));
}

/** nodeSelector and required node affinity. */
export function matchesNode(pod: KubeObject, node: KubeObject): boolean {
  const labels = labelsOf(node);
  const wanted = Object.entries(textMap(pod, "spec", "nodeSelector"));
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  const required = objectAt(pod, "spec", "affinity", "nodeAffinity").requiredDuringSchedulingIgnoredDuringExecution;
  return !isObject(required) || matchesNodeSelector(required, node);
}
