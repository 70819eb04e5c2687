import "server-only";
import { put, textAt, type JsonObject } from "../json";
import { annotationsOf } from "../object";
import type { Store } from "../store/store";

const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

/** A claim that names no class gets the default one, if there is one. */
export function admitClaim(store: Store, claim: JsonObject): void {
  if (textAt(claim, "spec", "storageClassName") !== undefined) return;
  const chosen = store.list("storage.k8s.io/storageclasses").find((item) => annotationsOf(item)[DEFAULT_CLASS] === "true");
  if (chosen) put(claim, ["spec", "storageClassName"], chosen.metadata.name);
}
