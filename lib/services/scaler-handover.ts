import "server-only";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Kube } from "@/lib/platform/kube";
import { liveOf, type LiveObject } from "./deployment-live";

type OwnedObject = LiveObject & { metadata: { managedFields?: { manager: string; fieldsV1?: { "f:spec"?: { "f:replicas"?: object } } }[] } };

/** Holds the replicas between Lectern and the autoscaler that takes them over. */
const HANDOVER = "lectern-handover";

/**
 * Before a Deployment is applied that leaves its replicas to an autoscaler: the present number is written under a manager of its own.
 * Else the field would go with Lectern's ownership, fall back to its default, and restart a deployment at one replica.
 * Source: kubernetes.io/docs/reference/using-api/server-side-apply, "Transferring ownership".
 */
export async function handOverReplicas(kube: Kube, object: KubeObject): Promise<void> {
  if (object.kind !== "Deployment" || object.spec?.replicas !== undefined) return;
  const live = (await liveOf(kube, object)) as OwnedObject | null; // the API server adds managedFields to every object
  const replicas = live?.spec?.replicas;
  if (!live || typeof replicas !== "number") return;
  const owners = (live.metadata.managedFields ?? []).filter(({ fieldsV1 }) => fieldsV1?.["f:spec"]?.["f:replicas"] !== undefined);
  if (owners.some(({ manager }) => manager !== "lectern")) return;
  const { apiVersion, kind, metadata } = object;
  const fragment = { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace }, spec: { replicas } } as unknown as KubeObject; // without labels: it shall own nothing else
  await kube.apply(fragment, { fieldManager: HANDOVER, force: true });
}
