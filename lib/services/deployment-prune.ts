import "server-only";
import { deploymentLabel } from "@/lib/domain/manifest/metadata";
import type { Kube } from "@/lib/platform/kube";
import { liveOf } from "./deployment-live";
import type { Plan } from "./deployment-plan";
import { keyOf } from "./rendering";

/** An object of an earlier revision that the new one no longer has. A volume claim goes only with a tick of its own. */
export type Prune = { key: string; apiVersion: string; kind: string; name: string; namespace: string; uid: string; needsTick: boolean; isDeleted: boolean };

/** What would go: looked for by the names that earlier revisions gave, and only while it still carries this deployment's label. */
export async function pruneOf(kube: Kube, plan: Plan, deleteClaims: boolean): Promise<Prune[]> {
  const found = await Promise.all(
    plan.dropped.map(async (object): Promise<Prune | null> => {
      const live = await liveOf(kube, object);
      if (!live || live.metadata.labels?.[deploymentLabel] !== plan.deploymentId) return null;
      const needsTick = object.kind === "PersistentVolumeClaim";
      const { name, namespace } = object.metadata;
      return { key: keyOf(object), apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid: live.metadata.uid, needsTick, isDeleted: !needsTick || deleteClaims };
    }),
  );
  return found.filter((each) => each !== null);
}
