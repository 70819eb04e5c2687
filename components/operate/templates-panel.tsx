"use client";

import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import { LoadingText } from "@/components/ui/states";
import { toast } from "@/components/ui/toaster";
import type { Output } from "@/lib/client/api";
import { useRead, useWrite } from "@/lib/client/hooks";
import { FORGE_NAMES } from "@/lib/domain/preview-words";

type Template = Output<"templates.list">["templates"][number];

/** From what preview environments are made; owners only. */
export function TemplatesPanel() {
  const { data } = useRead("templates.list", {});
  return (
    <Panel title="Templates" description="One for each repository: cluster, model, people, time and budget." padded={false}>
      {!data && <div className="p-4"><LoadingText lines={2} /></div>}
      {data?.templates.length === 0 && <p className="p-4 text-muted-foreground">No template yet. With one, a repository’s webhook opens an environment for every pull request.</p>}
      <ul className="divide-y">
        {data?.templates.map((template) => (
          <li key={template.id} className="grid gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
            <Facts template={template} />
            <DeleteButton template={template} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Facts({ template }: { template: Template }) {
  const { name, repository, forge, modelName, gpuName, replicas, clusterName, hoursToLive, idleMinutes, budget, currency, comments, people, hookUrl, open } = template;
  return (
    <div className="grid min-w-0 gap-1">
      <p><span className="font-medium">{name}</span> <span className="text-muted-foreground">for {repository} on {FORGE_NAMES[forge]}, {open} open</span></p>
      <p className="text-sm text-muted-foreground">
        {modelName} on {gpuName}{replicas > 1 && ` ×${replicas}`} in {clusterName}; {hoursToLive} h from the last push, asleep after {idleMinutes} min, {budget ? `${budget} ${currency} at most` : "no budget"}, {people === 0 ? "owners only" : people === 1 ? "1 role" : `${people} roles`}{comments ? ", comments its address" : ""}.
      </p>
      <p className="flex min-w-0 items-center gap-2 text-sm">
        <code className="min-w-0 font-mono break-all">{hookUrl}</code>
        <CopyButton text={hookUrl} label="Copy the webhook’s address" />
      </p>
    </div>
  );
}

function DeleteButton({ template }: { template: Template }) {
  const remove = useWrite("templates.delete", ["previewEnvironments"]);
  return (
    <ConfirmDialog
      trigger={<Button size="sm" className="self-start">Delete</Button>}
      title={`Delete the template ${template.name}?`}
      goes={["Its webhook’s secret: the address stops working", ...(template.open > 0 ? [`${template.open} open environments with their documents`] : [])]}
      stays={["What its environments have cost", "The audit log"]}
      actionLabel="Delete template"
      onConfirm={async () => {
        await remove.mutateAsync({ id: template.id });
        toast.success(`${template.name} is deleted.`);
      }}
    />
  );
}
