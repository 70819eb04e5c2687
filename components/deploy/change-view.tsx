"use client";

import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldChanges } from "@/components/ui/field-changes";
import { Notice } from "@/components/ui/notice";
import type { Preview, PreviewAnswer } from "./use-preview";

type ObjectChange = PreviewAnswer["objects"][number];

const stateTone = { new: "ready", changed: "accent", unchanged: "neutral" } as const;

/** What a preview would do to the cluster: in words, then object by object and field by field, with the owner of each field. */
export function ChangeView({ preview, answer }: { preview: Preview; answer: PreviewAnswer }) {
  return (
    <div className="grid gap-4">
      {answer.basis === "local" && <Notice tone="warning" title="Not asked from the cluster">{answer.basisNote}</Notice>}
      <ul className="grid gap-1">
        {answer.summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <ul aria-label="Objects" className="divide-y divide-border rounded-lg border">
        {answer.objects.map((object) => (
          <ObjectItem key={object.key} object={object} preview={preview} />
        ))}
        {answer.prune.map((gone) => (
          <li key={gone.key} className="grid gap-2 px-3 py-2">
            <ObjectTitle text={gone.key} tone="failed" state={gone.isDeleted ? "deleted" : "left over"} />
            {gone.needsTick && <Checkbox label="Delete the volume with its data too" checked={preview.deleteClaims} onChange={(event) => preview.setDeleteClaims(event.target.checked)} />}
          </li>
        ))}
      </ul>
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

function ObjectItem({ object, preview }: { object: ObjectChange; preview: Preview }) {
  const managers = [...new Set(object.conflicts.map((conflict) => conflict.manager))];
  return (
    <li className="grid gap-2 px-3 py-2">
      <ObjectTitle text={object.key} tone={stateTone[object.state]} state={object.state} />
      {object.refusal && <Notice tone="failed" title={object.refusal} />}
      {managers.map((manager) => (
        <Checkbox
          key={manager}
          label={`Take over what ${manager} owns here`}
          hint={object.conflicts.filter((conflict) => conflict.manager === manager).map((conflict) => conflict.field).join(", ")}
          checked={preview.isTakenOver({ key: object.key, manager })}
          onChange={(event) => preview.setTakenOver({ key: object.key, manager }, event.target.checked)}
        />
      ))}
      {object.changes.length > 0 && <FieldChanges changes={object.changes} />}
    </li>
  );
}
