import "server-only";
import { needResource, resources } from "../data/resources";
import { put, textAt } from "../json";
import { isDeleting, nameOf, namespaceOf, type KubeObject } from "../object";
import { deleteObject } from "../registry/deletion";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
  "No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Furnishes new namespaces, and empties those that are being deleted. */
export class NamespaceController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (name) => this.sync(name));
    context.store.onChange(({ resource, object, type }) => {
      if (resource === "/namespaces") this.queue.add(nameOf(object));
      if (type === "DELETED" && namespaceOf(object) !== "") this.queue.add(namespaceOf(object));
    });
  }

  start(): void {
    for (const namespace of this.context.store.list("/namespaces")) this.sync(nameOf(namespace));
  }

  private sync(name: string): void {
    const namespace = this.context.store.get("/namespaces", "", name);
    if (!namespace) return;
    if (isDeleting(namespace)) this.empty(namespace);
    else furnish(this.context, name);
  }

  private empty(namespace: KubeObject): void {
    const { store, registry } = this.context;
    const name = nameOf(namespace);
    const ids = new Set(resources.filter((resource) => resource.namespaced).map(({ id }) => id));
    const content = [...ids].flatMap((id) => store.list(id, name).map((object) => ({ id, object })));
    for (const { id, object } of content) {
      if (!isDeleting(object)) deleteObject(registry, needResource(id), { object, propagation: "Background" });
    }
    if ([...ids].some((id) => store.list(id, name).length > 0)) return;
    registry.modify(namespace, (draft) => put(draft, ["spec", "finalizers"], undefined), { manager: CONTROLLER_MANAGER });
  }
}

/** The service account and the CA that every namespace has; at once, so that pods can follow without waiting. */
export function furnish(
  { store, registry, caCertificate }: Pick<ControlContext, "store" | "registry" | "caCertificate">,
  namespace: string,
): void {
  if (textAt(store.get("/namespaces", "", namespace), "status", "phase") !== "Active") return;
  const options = { manager: CONTROLLER_MANAGER };
  if (!store.get("/configmaps", namespace, "kube-root-ca.crt")) {
    const metadata = { name: "kube-root-ca.crt", namespace, annotations: { "kubernetes.io/description": description } };
    registry.create(
      needResource("/configmaps"),
      { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "ca.crt": caCertificate } },
      options,
    );
  }
  if (store.get("/serviceaccounts", namespace, "default")) return;
  registry.create(
    needResource("/serviceaccounts"),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } },
    options,
  );
}
