import "server-only";
import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/domain/canonical-json";
import type { DeploymentSpec } from "@/lib/domain/deployment";
import { manifests, toYaml } from "@/lib/domain/manifest";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";

export type Rendered = { objects: KubeObject[]; yaml: string; digest: string };

/** What a revision creates, and the SHA-256 (hex) that identifies it: the same spec in the same place always has the same digest. */
export function render(spec: DeploymentSpec, at: { namespace: string; environmentId: string; deploymentId: string; revision: number }): Rendered {
  const objects = manifests(spec, { ...at, portalNamespace: null });
  const digest = createHash("sha256").update(canonicalJson(objects)).digest("hex");
  return { objects, yaml: toYaml(objects), digest };
}
