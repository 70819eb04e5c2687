"use client";

import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { FieldChanges } from "@/components/ui/field-changes";
import { Notice } from "@/components/ui/notice";
import { LoadingText } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";

const tones = { new: "ready", changed: "accent", unchanged: "neutral" } as const;

/** What an approval stands for, as the server kept it under its digest: in words, field by field with owners, and the manifests in full. */
export function ApprovedChange({ digest }: { digest: string }) {
  const { data, error } = useRead("deployments.previewed", { digest });
  if (error) return <Notice tone="warning" title={`The preview is no longer kept: ask for a new request. ${error.message}`} />;
  if (!data) return <LoadingText label="Loading the preview" />;
  return (
    <div className="grid gap-4">
      <ul className="grid list-disc gap-1 pl-5">
        {data.summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <ul aria-label="Objects" className="divide-y divide-border rounded-lg border">
        {data.objects.map((object) => (
          <li key={object.key} className="grid gap-2 px-3 py-2">
            <ObjectTitle text={object.key} tone={tones[object.state]} state={object.state} />
            {object.changes.length > 0 && <FieldChanges changes={object.changes} />}
          </li>
        ))}
        {data.prune.map((gone) => (
          <li key={gone.key} className="px-3 py-2">
            <ObjectTitle text={gone.key} tone="failed" state={gone.isDeleted ? "deleted" : "left over"} />
          </li>
        ))}
      </ul>
      <details>
        <summary className="w-fit cursor-pointer font-medium">The manifests in full</summary>
        <CodeBlock label="what would be applied" code={data.yaml} className="mt-3 max-h-96" showLineNumbers />
      </details>
    </div>
  );
}

function ObjectTitle({ text, tone, state }: { text: string; tone: "ready" | "accent" | "neutral" | "failed"; state: string }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-mono text-sm break-all">{text}</span>
      <Badge tone={tone}>{state}</Badge>
    </span>
  );
}
