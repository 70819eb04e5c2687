"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { readUrl } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";
import { EXPORT_FORMS, ExportForm, FORM_TITLES } from "@/lib/domain/export-manifests";

/** Take the deployment away as files, or see what it would be elsewhere. */
export function MovingPanel({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const [form, setForm] = useState<ExportForm>("yaml");
  const [repoUrl, setRepoUrl] = useState("");
  const isGit = form === "argocd" || form === "flux";
  const input = { id: deploymentId, form, ...(isGit && repoUrl !== "" ? { repoUrl } : {}) };
  return (
    <Panel title="Leave or move" description="The same objects, in the form that your tools take.">
      <div className="grid gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Form" className="w-56">
            <Select value={form} onChange={(event) => setForm(ExportForm.parse(event.target.value))}>
              {EXPORT_FORMS.map((each) => <option key={each} value={each}>{FORM_TITLES[each]}</option>)}
            </Select>
          </Field>
          {isGit && <Field label="Git repository" className="min-w-64 flex-1"><Input mono type="url" placeholder="https://git.example.com/team/deployments.git" value={repoUrl} onChange={(event) => setRepoUrl(event.target.value)} /></Field>}
          <Button asChild><a href={readUrl("moving.export", input)} download>Download</a></Button>
        </div>
        <Clone deploymentId={deploymentId} environmentId={environmentId} />
      </div>
    </Panel>
  );
}

function Clone({ deploymentId, environmentId }: { deploymentId: string; environmentId: string }) {
  const environments = useRead("environments.list", {});
  const [target, setTarget] = useState("");
  const clone = useRead("moving.clone", { id: deploymentId, environmentId: target }, { enabled: target !== "" });
  const others = environments.data?.environments.filter((each) => each.id !== environmentId && !each.isSample) ?? [];
  if (others.length === 0) return null;
  return (
    <div className="grid gap-2">
      <Field label="Compare with another environment" className="w-56">
        <Select value={target} onChange={(event) => setTarget(event.target.value)}>
          <option value="">Choose one</option>
          {others.map((each) => <option key={each.id} value={each.id}>{each.name}</option>)}
        </Select>
      </Field>
      {clone.error && <p role="alert" className="text-failed">{clone.error.message}</p>}
      {clone.data && (
        <ul className="grid gap-1 text-sm">
          {clone.data.blockers.map((blocker) => <li key={blocker} className="text-failed">{blocker}</li>)}
          {clone.data.differences.map((each) => (
            <li key={each.what}><span className="font-medium">{each.what}</span>: {each.here === each.there ? each.here : `${each.here} → ${each.there}`}. <span className="text-muted-foreground">{each.note}</span></li>
          ))}
        </ul>
      )}
    </div>
  );
}
