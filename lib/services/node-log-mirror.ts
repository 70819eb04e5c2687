import "server-only";
import type { LiveNode } from "@/lib/domain/rollout-objects";
import type { Kube } from "@/lib/platform/kube";

/** The cluster's nodes, where the credential may see them. */
export type NodeMirror = { readonly nodes: Map<string, LiveNode>; isSynced(): boolean };

/** Follows the nodes of a cluster into memory until the signal is aborted. Without the right to watch nodes it stays unsynced, and only pods count. */
export function mirrorNodes(kube: Kube, options: { signal: AbortSignal; onChange: () => void; onState: (state: { isCurrent: boolean }) => void }): NodeMirror {
  const nodes = new Map<string, LiveNode>();
  let isCurrent = false;
  const mark = (next: boolean) => {
    isCurrent = next;
    options.onState({ isCurrent });
  };
  void kube
    .watchList<LiveNode & { metadata: { resourceVersion?: string } }>({ apiVersion: "v1", resource: "nodes" }, {
      signal: options.signal,
      on: (event) => {
        if (event.type === "interrupted") return mark(false);
        if (event.type === "list") {
          nodes.clear();
          for (const node of event.items) nodes.set(node.metadata.name, node);
        }
        if (event.type === "change" && event.change === "DELETED") nodes.delete(event.object.metadata.name);
        if (event.type === "change" && event.change !== "DELETED") nodes.set(event.object.metadata.name, event.object);
        mark(true);
        // Heartbeats change nodes all the time: only comings and goings matter.
        if (event.type === "list" || (event.type === "change" && event.change !== "MODIFIED")) options.onChange();
      },
    })
    .catch(() => mark(false));
  return { nodes, isSynced: () => isCurrent };
}
