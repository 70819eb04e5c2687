import "server-only";
import { needResource } from "../data/resources";
import { equal, listAt, objectAt, put, textAt, type JsonObject } from "../json";
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from "../object";
import { quantityValue } from "../quantity";
import { CONTROLLER_MANAGER, type ControlContext } from "./context";
import { WorkQueue } from "./work-queue";

const COMPONENT = "persistentvolume-controller";
const CLAIMS = "/persistentvolumeclaims";
const VOLUMES = "/persistentvolumes";
const ZONE = "topology.kubernetes.io/zone";

/** Binds claims to volumes: at once, or when a pod that uses them has a node; removes both when they are let go. */
export class VolumeController {
  readonly queue: WorkQueue;

  constructor(private readonly context: ControlContext) {
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key));
    context.store.onChange(({ resource, object, type }) => {
      if (resource === CLAIMS && type === "DELETED") this.reclaim(object);
      else if (resource === CLAIMS) this.queue.add(keyOf(object));
      if (resource === "/pods" && (type === "DELETED" || isDeleting(object))) this.start(namespaceOf(object));
      if (resource === "storage.k8s.io/storageclasses" || (resource === VOLUMES && type === "ADDED")) this.start();
    });
  }

  start(namespace = ""): void {
    for (const claim of this.context.store.list(CLAIMS, namespace)) this.queue.add(keyOf(claim));
  }

  /** Makes a volume where the node is and binds the claim to it; the scheduler calls this for late-binding claims. */
  provision(claim: KubeObject, node: KubeObject | undefined): void {
    const { registry } = this.context;
    const storageClass = this.classOf(claim);
    if (!storageClass) return;
    const zone = textAt(node, "metadata", "labels", ZONE);
    const volume = registry.create(needResource(VOLUMES), volumeFor(claim, storageClass, zone), { manager: CONTROLLER_MANAGER });
    if (node) {
      registry.modify(claim, (draft) => put(draft, ["metadata", "annotations", "volume.kubernetes.io/selected-node"], nameOf(node)), {
        manager: "kube-scheduler",
      });
    }
    this.bind(claim, volume);
    this.tell(claim, "Normal", { reason: "ProvisioningSucceeded", message: `Successfully provisioned volume ${nameOf(volume)}` });
  }

  private classOf(claim: KubeObject): KubeObject | undefined {
    const name = textAt(claim, "spec", "storageClassName");
    return name === undefined ? undefined : this.context.store.get("storage.k8s.io/storageclasses", "", name);
  }

  private sync(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const claim = this.context.store.get(CLAIMS, namespace, name);
    if (!claim) return;
    if (isDeleting(claim)) return this.release(claim);
    if (textAt(claim, "status", "phase") !== "Pending") return;
    const existing = this.context.store.list(VOLUMES).find((volume) => fits(volume, claim));
    if (existing) return this.bind(claim, existing);
    this.bindNew(claim);
  }

  private bindNew(claim: KubeObject): void {
    const name = textAt(claim, "spec", "storageClassName") ?? "";
    const storageClass = this.classOf(claim);
    if (name === "") {
      return this.tell(claim, "Normal", {
        reason: "FailedBinding",
        message: "no persistent volumes available for this claim and no storage class is set",
      });
    }
    if (!storageClass)
      return this.tell(claim, "Warning", { reason: "ProvisioningFailed", message: `storageclass.storage.k8s.io "${name}" not found` });
    if (storageClass.volumeBindingMode === "Immediate") return this.provision(claim, undefined);
    this.tell(claim, "Normal", { reason: "WaitForFirstConsumer", message: "waiting for first consumer to be created before binding" });
  }

  private bind(claim: KubeObject, volume: KubeObject): void {
    const { registry } = this.context;
    const options = { manager: CONTROLLER_MANAGER };
    const { apiVersion, kind, metadata } = claim;
    const claimRef = {
      kind,
      namespace: namespaceOf(claim),
      name: metadata.name,
      uid: metadata.uid,
      apiVersion,
      resourceVersion: metadata.resourceVersion,
    };
    registry.modify(
      volume,
      (draft) => {
        put(draft, ["spec", "claimRef"], claimRef);
        draft.status = { phase: "Bound" };
      },
      options,
    );
    registry.modify(
      claim,
      (draft) => {
        put(draft, ["spec", "volumeName"], nameOf(volume));
        put(draft, ["metadata", "annotations", "pv.kubernetes.io/bind-completed"], "yes");
        draft.status = {
          phase: "Bound",
          accessModes: listAt(draft, "spec", "accessModes"),
          capacity: objectAt(volume, "spec", "capacity"),
        };
      },
      options,
    );
  }

  /** A claim stays while a pod uses it. */
  private release(claim: KubeObject): void {
    const isUsed = this.context.store.list("/pods", namespaceOf(claim)).some((pod) => claimsOf(pod).includes(nameOf(claim)));
    if (isUsed) return;
    this.context.registry.modify(
      claim,
      (draft) => {
        const left = listAt(draft, "metadata", "finalizers").filter((name) => name !== "kubernetes.io/pvc-protection");
        put(draft, ["metadata", "finalizers"], left.length > 0 ? left : undefined);
      },
      { manager: CONTROLLER_MANAGER },
    );
  }

  private reclaim(claim: KubeObject): void {
    const { store, registry } = this.context;
    const volume = store.list(VOLUMES).find((item) => textAt(item, "spec", "claimRef", "uid") === uidOf(claim));
    if (!volume) return;
    if (textAt(volume, "spec", "persistentVolumeReclaimPolicy") === "Delete") store.remove(VOLUMES, volume);
    else registry.modify(volume, (draft) => void (draft.status = { phase: "Released" }), { manager: CONTROLLER_MANAGER });
  }

  private tell(claim: KubeObject, type: "Normal" | "Warning", event: { reason: string; message: string }): void {
    this.context.events.record({ object: claim, type, ...event, component: COMPONENT });
  }
}

export function claimsOf(pod: KubeObject): string[] {
  return listAt(pod, "spec", "volumes")
    .map((volume) => textAt(volume, "persistentVolumeClaim", "claimName"))
    .filter((name) => name !== undefined);
}

function keyOf(claim: KubeObject): string {
  return `${namespaceOf(claim)}/${nameOf(claim)}`;
}

function fits(volume: KubeObject, claim: KubeObject): boolean {
  const reserved = textAt(volume, "spec", "claimRef", "name");
  const isReservedForIt = reserved === nameOf(claim) && textAt(volume, "spec", "claimRef", "namespace") === namespaceOf(claim);
  const size = (quantity: string | undefined): number => quantityValue(quantity ?? "0") ?? 0;
  return (
    (reserved === undefined || isReservedForIt) &&
    textAt(volume, "status", "phase") !== "Released" &&
    (textAt(volume, "spec", "storageClassName") ?? "") === (textAt(claim, "spec", "storageClassName") ?? "") &&
    size(textAt(volume, "spec", "capacity", "storage")) >= size(textAt(claim, "spec", "resources", "requests", "storage")) &&
    listAt(claim, "spec", "accessModes").every((mode) => listAt(volume, "spec", "accessModes").some((own) => equal(own, mode)))
  );
}

function volumeFor(claim: KubeObject, storageClass: KubeObject, zone: string | undefined): JsonObject {
  const name = `pvc-${uidOf(claim)}`;
  const provisioner = textAt(storageClass, "provisioner") ?? "";
  const terms = [{ matchExpressions: [{ key: ZONE, operator: "In", values: [zone ?? ""] }] }];
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
    spec: {
      capacity: { storage: textAt(claim, "spec", "resources", "requests", "storage") ?? "1Gi" },
      accessModes: listAt(claim, "spec", "accessModes"),
      persistentVolumeReclaimPolicy: textAt(storageClass, "reclaimPolicy") ?? "Delete",
      storageClassName: nameOf(storageClass),
      volumeMode: "Filesystem",
      csi: { driver: provisioner, volumeHandle: name },
      ...(zone === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
    },
  };
}
