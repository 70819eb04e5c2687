"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { useCan } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";

type Finding = DeploymentView["findings"][number];

/** Why it is not ready: the likeliest cause first, what to do, and below it the cluster's own lines. */
export function FindingsPanel({ view }: { view: DeploymentView }) {
  if (view.findings.length === 0) return null;
  return (
    <Panel title="Why it is not ready" description="Worked out from the cluster's own objects; its words stand below each cause.">
      <ul className="grid gap-3">
        {view.findings.map((finding) => (
          <li key={finding.id}>
            <Notice tone={finding.severity === "blocker" ? "failed" : "warning"} title={finding.cause} action={<Suggestion finding={finding} view={view} />}>
              <div className="grid gap-2">
                <p>{finding.remedy}</p>
                <ul aria-label="Evidence" className="grid gap-1">
                  {finding.evidence.map((line) => (
                    <li key={line} className="font-mono text-sm break-words">{line}</li>
                  ))}
                </ul>
              </div>
            </Notice>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Leads to the preview of the change that would answer the finding; nothing is applied from here. */
function Suggestion({ finding, view }: { finding: Finding; view: DeploymentView }) {
  const { id, environmentId } = view.deployment;
  const may = useCan("deployment.apply", environmentId);
  if (!may.allowed) return null;
  const query = new URLSearchParams({ deployment: id, ...(finding.suggestion ? { change: JSON.stringify(finding.suggestion.change) } : {}) });
  return <Button asChild size="sm"><Link href={`/deploy?${query}`}>{finding.suggestion?.label ?? "Change the deployment"}</Link></Button>;
}
