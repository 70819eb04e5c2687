"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { FieldChanges } from "@/components/ui/field-changes";
import { ErrorState, LoadingText } from "@/components/ui/states";
import { useRead } from "@/lib/client/hooks";
import type { DeploymentView } from "./deployment-page";

type CompareDialogProps = { view: DeploymentView; from: number; onClose: () => void };

/** What differs between any two revisions, as they were applied. */
export function CompareDialog({ view, from: first, onClose }: CompareDialogProps) {
  const newest = view.revisions[0]?.number ?? first;
  const [from, setFrom] = useState(first === newest ? Math.max(1, first - 1) : first);
  const [to, setTo] = useState(newest);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={`Revisions of ${view.deployment.name}`} size="lg">
      <div className="grid gap-4 sm:grid-cols-2">
        <RevisionSelect label="From" value={from} onChange={setFrom} view={view} />
        <RevisionSelect label="To" value={to} onChange={setTo} view={view} />
      </div>
      <Differences id={view.deployment.id} from={from} to={to} />
    </Dialog>
  );
}

type RevisionSelectProps = { label: string; value: number; onChange: (number: number) => void; view: DeploymentView };

function RevisionSelect({ label, value, onChange, view }: RevisionSelectProps) {
  return (
    <Field label={label}>
      <Select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {view.revisions.map((revision) => (
          <option key={revision.id} value={revision.number}>
            Revision {revision.number} by {revision.createdBy}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function Differences({ id, from, to }: { id: string; from: number; to: number }) {
  const { data, error, refetch } = useRead("deployments.compare", { id, from, to });
  if (error) return <ErrorState problem={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingText />;
  if (data.objects.length === 0) return <p>Nothing differs.</p>;
  return (
    <ul className="grid gap-4">
      {data.objects.map((object) => (
        <li key={object.key} className="grid gap-2">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-sm">{object.key}</span>
            <Badge tone={object.state === "removed" ? "failed" : "accent"}>{object.state}</Badge>
          </span>
          <FieldChanges changes={object.changes} />
        </li>
      ))}
    </ul>
  );
}
