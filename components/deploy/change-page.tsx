"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Field, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Page, PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { withChange } from "@/lib/domain/finding-change";
import { ChangeView } from "./change-view";
import { DeployButton } from "./deploy-button";
import { DeployForms, type Targets } from "./deploy-forms";
import { usePreview } from "./use-preview";

type View = Output<"deployments.get">;
type Revision = View["revisions"][number];

/** The next revision of a deployment: a changed spec, or the way back to an earlier one. */
export function ChangePage({ id, targets }: { id: string; targets: Targets }) {
  const params = useSearchParams();
  const { data, error, refetch } = useRead("deployments.get", { id });
  if (error) return <Page><ErrorState problem={error} onRetry={() => void refetch()} /></Page>;
  if (!data) return <Page><LoadingPanels count={2} /></Page>;
  const { deployment, revisions } = data;
  const back = revisions.find((revision) => revision.id === params.get("rollback"));
  const spec = DeploymentSpec.safeParse(withChange(revisions[0]?.spec ?? {}, suggested(params)));
  return (
    <Page>
      <PageHeader
        title={back ? `Take ${deployment.name} back to revision ${back.number}` : `Change ${deployment.name}`}
        sentence={`It becomes revision ${deployment.revision + 1} in ${deployment.environmentName}; the ones before stay in the history.`}
      />
      {back && <Rollback view={data} revision={back} />}
      {!back && spec.success && <DeployForms changed={{ deploymentId: id, revision: deployment.revision }} targets={targets} draft={{ ...spec.data, environmentId: deployment.environmentId }} />}
      {!back && !spec.success && <Notice tone="failed" title="This deployment has no revision that can be changed." />}
    </Page>
  );
}

/** What a finding proposed, as its button put it into the address. */
function suggested(params: URLSearchParams): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(params.get("change") ?? "{}"));
  } catch {
    return {}; // an address that somebody has cut short
  }
}

function Rollback({ view, revision }: { view: View; revision: Revision }) {
  const { deployment } = view;
  const [note, setNote] = useState("");
  const isSaid = note.trim() !== "";
  const preview = usePreview(isSaid ? { environmentId: deployment.environmentId, deploymentId: deployment.id, rollbackTo: revision.id, note } : null);
  return (
    <Panel title="What going back does">
      <div className="grid gap-5">
        <Field label="Why" hint="Stands in the history and on the audit trail.">
          <Textarea value={note} onChange={(event) => setNote(event.target.value)} rows={2} maxLength={500} />
        </Field>
        {preview.answer && <ChangeView preview={preview} answer={preview.answer} />}
        <DeployButton preview={preview} targetName={deployment.environmentName} disabledReason={isSaid ? null : "Say why first."} label="Roll back" />
      </div>
    </Panel>
  );
}
