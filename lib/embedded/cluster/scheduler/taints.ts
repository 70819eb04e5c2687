import "server-only";
import { listAt, textAt, type Json } from "../json";
import type { KubeObject } from "../object";

function tolerates(toleration: Json, taint: Json): boolean {
  const effect = textAt(toleration, "effect") ?? "";
  if (effect !== "" && effect !== textAt(taint, "effect")) return false;
  const key = textAt(toleration, "key") ?? "";
  if (key !== "" && key !== textAt(taint, "key")) return false;
  if (textAt(toleration, "operator") === "Exists") return true;
  return key !== "" && (textAt(toleration, "value") ?? "") === (textAt(taint, "value") ?? "");
}

/** Whether the pod tolerates every taint of the node that keeps pods away. */
export function toleratesNode(pod: KubeObject, node: KubeObject): boolean {
  const hard = listAt(node, "spec", "taints").filter((taint) => ["NoSchedule", "NoExecute"].includes(textAt(taint, "effect") ?? ""));
  return hard.every((taint) => listAt(pod, "spec", "tolerations").some((toleration) => tolerates(toleration, taint)));
}
