import "server-only";
import { forbidden } from "../api/status";
import { needResource, type Resource } from "../data/resources";
import { isObject, listAt, objectAt, put, textAt, type Json, type JsonObject } from "../json";
import { randomSuffix } from "../naming";
import { nameOf, namespaceOf } from "../object";
import type { Store } from "../store/store";

/** Service account, token volume, default tolerations, priority and runtime class, as the built-in plug-ins add them. */
export function completePod(store: Store, resource: Resource, pod: JsonObject): void {
  const spec = objectAt(pod, "spec");
  const account = textAt(spec, "serviceAccountName") ?? "default";
  const found = store.get("/serviceaccounts", namespaceOf(pod), account);
  if (!found) {
    const why = `error looking up service account ${namespaceOf(pod)}/${account}: serviceaccount "${account}" not found`;
    throw forbidden(resource, nameOf(pod), why);
  }
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
  if (spec.automountServiceAccountToken !== false && found.automountServiceAccountToken !== false) mountToken(spec);
  addTolerations(spec);
  setPriority(store, resource, pod);
  checkRuntimeClass(store, resource, pod);
}

function mountToken(spec: JsonObject): void {
  const name = `kube-api-access-${randomSuffix()}`;
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ];
  spec.volumes = [...listAt(spec, "volumes"), { name, projected: { sources, defaultMode: 420 } }];
  for (const container of [...listAt(spec, "initContainers"), ...listAt(spec, "containers")]) {
    if (!isObject(container)) continue;
    const mount = { name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
    container.volumeMounts = [...listAt(container, "volumeMounts"), mount];
  }
}

function addTolerations(spec: JsonObject): void {
  const tolerations = listAt(spec, "tolerations");
  const missing = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].filter(
    (key) => !tolerations.some((toleration) => textAt(toleration, "key") === key),
  );
  const added: Json[] = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  spec.tolerations = [...tolerations, ...added];
}

const builtIn: Record<string, number> = { "system-cluster-critical": 2000000000, "system-node-critical": 2000001000 };

function setPriority(store: Store, resource: Resource, pod: JsonObject): void {
  const name = textAt(pod, "spec", "priorityClassName");
  const chosen = name === undefined ? undefined : store.get("scheduling.k8s.io/priorityclasses", "", name);
  if (name !== undefined && !chosen && builtIn[name] === undefined) {
    throw forbidden(resource, nameOf(pod), `no PriorityClass with name ${name} was found`);
  }
  put(pod, ["spec", "priority"], chosen?.value ?? (name === undefined ? 0 : builtIn[name]));
  put(pod, ["spec", "preemptionPolicy"], chosen?.preemptionPolicy ?? "PreemptLowerPriority");
}

function checkRuntimeClass(store: Store, resource: Resource, pod: JsonObject): void {
  const name = textAt(pod, "spec", "runtimeClassName");
  if (name === undefined || store.get(needResource("node.k8s.io/runtimeclasses").id, "", name)) return;
  throw forbidden(resource, nameOf(pod), `pod rejected: RuntimeClass "${name}" not found`);
}
