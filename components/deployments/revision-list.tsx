"use client";

import { Badge } from "@/components/ui/badge";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import type { DeploymentView } from "./deployment-page";

type Revision = DeploymentView["revisions"][number];

function Outcome({ revision }: { revision: Revision }) {
  const rollout = revision.rollouts[0];
  if (!rollout) return null;
  const tone = rollout.state === "ready" ? "ready" : rollout.state === "failed" || rollout.state === "timed_out" ? "failed" : "neutral";
  return <Badge tone={tone}>{rollout.state.replace("_", " ")}</Badge>;
}

/** What was applied, by whom and when; each with the digest that identifies it. */
export function RevisionList({ view }: { view: DeploymentView }) {
  return (
    <Panel title="Revisions" padded={false}>
      <ol className="divide-y divide-border">
        {view.revisions.map((revision) => (
          <li key={revision.id} className="grid gap-1 px-4 py-3">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">Revision {revision.number}</span>
              <Outcome revision={revision} />
              <span className="text-sm text-muted-foreground">
                by {revision.createdBy}, <RelativeTime at={revision.createdAt} />
              </span>
            </span>
            <span className="font-mono text-sm break-all text-muted-foreground" title={`SHA-256 of the manifests: ${revision.digest}`}>
              {revision.digest.slice(0, 16)}
            </span>
            {revision.rollouts[0] && (
              <span className="text-sm text-muted-foreground">
                {revision.rollouts[0].objects.map((object) => `${object.kind} ${object.outcome}`).join(" · ")}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
