import "server-only";
import type { LiveClaim, LiveDeployment, LiveEvent, LivePod, LiveReplicaSet } from "@/lib/domain/rollout-objects";
import type { Kube } from "@/lib/platform/kube";
import { KubeStatusError } from "@/lib/platform/kube/status";

/** What is mirrored of a namespace, and how each kind is reached. */
const KINDS = {
  deployments: { apiVersion: "apps/v1", resource: "deployments" },
  replicaSets: { apiVersion: "apps/v1", resource: "replicasets" },
  pods: { apiVersion: "v1", resource: "pods" },
  events: { apiVersion: "v1", resource: "events" },
  claims: { apiVersion: "v1", resource: "persistentvolumeclaims" },
} as const;
/** Kinds without which a rollout is still told, only less well explained. */
const OPTIONAL: readonly string[] = ["claims"];
type Kind = keyof typeof KINDS;
type Objects = { deployments: LiveDeployment; replicaSets: LiveReplicaSet; pods: LivePod; events: LiveEvent; claims: LiveClaim };
type Named = { metadata: { name: string; uid?: string; resourceVersion?: string } };

export type Mirror = {
  [K in Kind]: Map<string, Objects[K]>;
} & {
  /** Kinds whose whole list has arrived since the connection was last lost. */
  isSynced(): boolean;
};

export type MirrorOptions = { namespace: string; signal: AbortSignal; onChange: () => void; onState: (state: { isCurrent: boolean; error?: unknown }) => void };

/** Follows the deployments, replica sets, pods, events and claims of one namespace into memory, until the signal is aborted. */
export function mirrorNamespace(kube: Kube, options: MirrorOptions): Mirror {
  const current = new Set<Kind>();
  const mirror: Mirror = { deployments: new Map(), replicaSets: new Map(), pods: new Map(), events: new Map(), claims: new Map(), isSynced: () => current.size === Object.keys(KINDS).length };
  for (const kind of Object.keys(KINDS) as Kind[]) void follow(kube, { kind, mirror, current, options }); // the keys of KINDS are Kinds
  return mirror;
}

type Following = { kind: Kind; mirror: Mirror; current: Set<Kind>; options: MirrorOptions };

async function follow(kube: Kube, { kind, mirror, current, options }: Following): Promise<void> {
  const map = mirror[kind] as Map<string, Named>; // each map holds the objects that its kind's path answers with
  const mark = (isCurrent: boolean, error?: unknown) => {
    if (isCurrent) current.add(kind);
    else current.delete(kind);
    options.onState({ isCurrent: mirror.isSynced(), ...(error === undefined ? {} : { error }) });
  };
  try {
    await kube.watchList<Named>({ ...KINDS[kind], namespace: options.namespace }, {
      signal: options.signal,
      on: (event) => {
        if (event.type === "interrupted") return mark(false, event.error);
        if (event.type === "list") replaceAll(map, event.items);
        if (event.type === "change") change(map, event.change, event.object);
        mark(true);
        options.onChange();
      },
    });
  } catch (error) {
    const isDispensable = OPTIONAL.includes(kind) && error instanceof KubeStatusError && error.isAccessLost;
    if (!options.signal.aborted) mark(isDispensable, error); // the right to watch was lost: shown as stale until the link is renewed
  }
}

function replaceAll(map: Map<string, Named>, items: Named[]): void {
  map.clear();
  for (const item of items) map.set(item.metadata.name, item);
}

function change(map: Map<string, Named>, kind: "ADDED" | "MODIFIED" | "DELETED", object: Named): void {
  if (kind === "DELETED") map.delete(object.metadata.name);
  else map.set(object.metadata.name, object);
}
