import type { PortalApi } from "./portal-api";
import { askCluster } from "./sandbox";
import { KUBECONFIG, NAMESPACE, SKU } from "./settings";

const STORAGE_CLASS = "lectern-e2e";
const VOLUMES = 10;
const namespaces = [NAMESPACE, `${NAMESPACE}-staging`];

/** Puts the environments that the journeys use into namespaces of this run; nothing to do on the sandbox. */
export async function moveToRealCluster(owner: PortalApi): Promise<void> {
  if (!KUBECONFIG) return;
  for (const [index, slug] of ["development", "staging"].entries()) {
    const { id, cluster } = await owner.environment(slug);
    await owner.write("environments.move", { id, clusterId: cluster?.id ?? null, namespace: namespaces[index] ?? NAMESPACE });
  }
}

type Node = { metadata: { labels?: Record<string, string> }; status?: { allocatable?: Record<string, string> } };
/** A size for each way in which clouds mark a node with an L4 or the like. */
const sizes: [label: string, skuId: string][] = [
  ["cloud.google.com/gke-accelerator", "gcp-g2-standard-4"],
  ["kubernetes.azure.com/accelerator", "azure-nv36ads-a10-v5"],
  ["k8s.scaleway.com/pool-name", "scaleway-l4-1-24g"],
  ["nvidia.com/gpu.product", "own-l4"],
];

/** A size that a GPU node of the cluster has; E2E_SKU says otherwise. */
export async function fittingSku(): Promise<string> {
  if (SKU) return SKU;
  if (!KUBECONFIG) return "aws-g6-xlarge";
  const { items } = JSON.parse((await askCluster("GET", "/api/v1/nodes")).body) as { items: Node[] }; // the API's own list
  const labels = items.filter((node) => Number(node.status?.allocatable?.["nvidia.com/gpu"] ?? 0) > 0).flatMap((node) => Object.keys(node.metadata.labels ?? {}));
  return sizes.find(([label]) => labels.includes(label))?.[1] ?? "aws-g6-xlarge";
}

const volume = (index: number) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: `${NAMESPACE}-${index}` },
  spec: { capacity: { storage: "200Gi" }, accessModes: ["ReadWriteOnce", "ReadWriteMany"], storageClassName: STORAGE_CLASS, persistentVolumeReclaimPolicy: "Retain", hostPath: { path: `/tmp/${NAMESPACE}-${index}` } },
});

/** A cluster without any storage class, as one of simulated nodes has none, gets volumes for the time of the run. */
export async function prepareRealCluster(): Promise<void> {
  const { items } = JSON.parse((await askCluster("GET", "/apis/storage.k8s.io/v1/storageclasses")).body) as { items: unknown[] }; // as above
  if (items.length > 0) return;
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  const created = await askCluster("POST", "/apis/storage.k8s.io/v1/storageclasses", { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: STORAGE_CLASS, annotations }, provisioner: "kubernetes.io/no-provisioner", volumeBindingMode: "WaitForFirstConsumer" });
  if (created.status !== 201) throw new Error(`no storage class could be made: ${created.body}`);
  for (let index = 0; index < VOLUMES; index += 1) await askCluster("POST", "/api/v1/persistentvolumes", volume(index));
}

/** Takes away what the run has made, also after a failure. */
export async function cleanRealCluster(): Promise<void> {
  for (const name of namespaces) await askCluster("DELETE", `/api/v1/namespaces/${name}`);
  await askCluster("DELETE", `/apis/storage.k8s.io/v1/storageclasses/${STORAGE_CLASS}`);
  for (let index = 0; index < VOLUMES; index += 1) await askCluster("DELETE", `/api/v1/persistentvolumes/${NAMESPACE}-${index}`);
}
