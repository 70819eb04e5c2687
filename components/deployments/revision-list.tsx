"use client";

import Link from "next/link";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import { useCan } from "@/lib/client/hooks";
import { CompareDialog } from "./compare-dialog";
import type { DeploymentView } from "./deployment-page";

type Revision = DeploymentView["revisions"][number];

const isRestart = (rollout: Revision["rollouts"][number]) => rollout.objects.some((object) => object.outcome === "restarted");

function Outcome({ revision }: { revision: Revision }) {
  const rollout = revision.rollouts[0];
  if (!rollout) return null;
  const tone = rollout.state === "ready" ? "ready" : rollout.state === "failed" || rollout.state === "timed_out" ? "failed" : "neutral";
  return <Badge tone={tone}>{rollout.state.replace("_", " ")}</Badge>;
}

/** What was applied, by whom and when; any two can be compared, and any earlier one can come back as a new one. */
export function RevisionList({ view }: { view: DeploymentView }) {
  const [compared, setCompared] = useState<number | null>(null);
  const [newest] = view.revisions;
  return (
    <Panel title="Revisions" padded={false}>
      <ol className="divide-y divide-border">
        {view.revisions.map((revision) => (
          <RevisionItem key={revision.id} revision={revision} view={view} isNewest={revision === newest} onCompare={() => setCompared(revision.number)} />
        ))}
      </ol>
      {compared !== null && <CompareDialog view={view} from={compared} onClose={() => setCompared(null)} />}
    </Panel>
  );
}

type RevisionItemProps = { revision: Revision; view: DeploymentView; isNewest: boolean; onCompare: () => void };

function RevisionItem({ revision, view, isNewest, onCompare }: RevisionItemProps) {
  const may = useCan("deployment.apply", view.deployment.environmentId);
  const restarts = revision.rollouts.filter(isRestart);
  const rollout = revision.rollouts.find((each) => !isRestart(each));
  return (
    <li className="grid gap-1 px-4 py-3">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">Revision {revision.number}</span>
        <Outcome revision={revision} />
        <span className="text-sm text-muted-foreground">
          by {revision.createdBy}, <RelativeTime at={revision.createdAt} />
        </span>
      </span>
      {revision.rollbackOf !== null && <span>Back to revision {revision.rollbackOf}: {revision.note}</span>}
      {revision.rollbackOf === null && revision.note !== "" && <span>{revision.note}</span>}
      <span className="font-mono text-sm break-all text-muted-foreground" title={`SHA-256 of what was previewed and applied: ${revision.digest}`}>
        {revision.digest.slice(0, 16)}
      </span>
      {rollout && <span className="text-sm text-muted-foreground">{rollout.objects.map((object) => `${object.kind} ${object.outcome}`).join(" · ")}</span>}
      {restarts.map((restart) => (
        <span key={restart.id} className="text-sm text-muted-foreground">
          Restarted {restart.objects[0]?.message}, <RelativeTime at={restart.startedAt} />: {restart.state.replace("_", " ")}
        </span>
      ))}
      {rollout?.findings.map((finding) => (
        <span key={finding.id} className="text-sm text-muted-foreground">
          Had: {finding.cause}
        </span>
      ))}
      {view.revisions.length > 1 && (
        <span className="mt-1 flex flex-wrap gap-2">
          <Button size="sm" onClick={onCompare}>Compare</Button>
          {!isNewest && may.allowed && (
            <Button asChild size="sm">
              <Link href={`/deploy?deployment=${view.deployment.id}&rollback=${revision.id}`}>Go back to it</Link>
            </Button>
          )}
        </span>
      )}
    </li>
  );
}
