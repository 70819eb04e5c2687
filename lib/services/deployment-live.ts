import "server-only";
import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/domain/canonical-json";
import { forDigest } from "@/lib/domain/diff-noise";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import type { Kube } from "@/lib/platform/kube";
import { resourceOf } from "@/lib/platform/kube/path";
import { KubeStatusError } from "@/lib/platform/kube/status";

export type LiveObject = KubeObject & { metadata: KubeObject["metadata"] & { uid: string; resourceVersion: string; generation?: number } };
/** The live object that a preview was compared with; uid and fingerprint are null where there was none. */
export type LiveMark = { key: string; uid: string | null; fingerprint: string | null };

type Named = { apiVersion: string; kind: string; metadata: { name: string; namespace: string } };

/** How an object is reached. */
export function refOf({ apiVersion, kind, metadata }: Named) {
  return { apiVersion, resource: resourceOf(apiVersion, kind), namespace: metadata.namespace, name: metadata.name };
}

/** The object as it stands in the cluster now, or null. */
export async function liveOf(kube: Kube, object: Named): Promise<LiveObject | null> {
  return kube.get<LiveObject>(refOf(object)).catch((error: unknown) => {
    if (error instanceof KubeStatusError && error.status === 404) return null;
    throw error;
  });
}

/**
 * SHA-256 (hex) over what an object says, without status and server bookkeeping. A resourceVersion would not do:
 * it moves with every heartbeat of a controller, and an approval of a running deployment would be void within minutes.
 */
export function fingerprintOf(live: LiveObject): string {
  return createHash("sha256").update(canonicalJson(forDigest(live))).digest("hex");
}

export function markOf(key: string, live: LiveObject | null): LiveMark {
  return { key, uid: live?.metadata.uid ?? null, fingerprint: live ? fingerprintOf(live) : null };
}

const gitOpsKeys = /^(argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|helm\.toolkit\.fluxcd\.io)\//;

/** The label or annotation by which another tool keeps an object as its repository says: it would revert what is applied here. */
export function gitOpsKeyOf(live: LiveObject): string | undefined {
  return [...Object.keys(live.metadata.labels ?? {}), ...Object.keys(live.metadata.annotations ?? {})].find((key) => gitOpsKeys.test(key));
}
