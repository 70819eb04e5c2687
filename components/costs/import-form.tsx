"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import { formatCount } from "@/lib/domain/cost-format";
import { importFields, readImport, type ImportKind, type ImportMapping, type ImportReading } from "@/lib/domain/usage-import";

export type ImportFormProps = { environmentId: string; reason: string | null };

/** Reads the file here first: columns, rows and faults are seen before anything is sent. */
export function ImportForm({ environmentId, reason }: ImportFormProps) {
  const [kind, setKind] = useState<ImportKind>("pages");
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [mapping, setMapping] = useState<ImportMapping | undefined>();
  const [addsToLogged, setAdds] = useState(false);
  const book = useRead("prices.book", {}).data?.book;
  const create = useWrite("imports.create", ["costs"]);
  const reading = file && book ? readImport(kind, file.text, { skus: book.gpu_skus.map((sku) => sku.id), mapping }) : null;
  const send = () => {
    if (!file) return;
    create.mutate(
      { environmentId, kind, fileName: file.name, text: file.text, addsToLogged, ...(mapping ? { mapping } : {}) },
      { onSuccess: ({ rows }) => (setFile(null), setMapping(undefined), toast.success(`${rows} rows imported`)) },
    );
  };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Segmented label="What the file holds" value={kind} onChange={(next) => (setKind(next), setMapping(undefined))} options={[{ value: "pages", label: "Pages by hour" }, { value: "nodes", label: "Node hours" }]} />
        <Field label="CSV file" className="w-72">
          <Input type="file" accept=".csv,text/csv" onChange={(event) => void load(event.target.files?.[0], (next) => (setFile(next), setMapping(undefined), create.reset()))} />
        </Field>
      </div>
      <p className="text-sm text-muted-foreground">
        Columns: {importFields(kind).map((field) => `${field.name}${field.isNeeded ? "" : " (optional)"}`).join(", ")}. Instants name their zone: 2026-11-01T09:00:00Z.
      </p>
      {reading && (
        <>
          <Columns kind={kind} reading={reading} onMap={setMapping} />
          <Reading reading={reading} />
        </>
      )}
      {create.error && <Notice tone="failed" title={create.error.message} />}
      <Checkbox label="Add to hours that are counted already" checked={addsToLogged} onChange={(event) => setAdds(event.target.checked)} />
      <Button variant="primary" className="w-fit" pending={create.isPending} onClick={send} disabledReason={reason ?? (!reading ? "Choose a file first." : reading.problems.length > 0 ? "The file has faults." : null)}>
        Import the file
      </Button>
    </div>
  );
}

async function load(file: File | undefined, done: (file: { name: string; text: string }) => void): Promise<void> {
  if (file) done({ name: file.name, text: await file.text() });
}

function Columns({ kind, reading, onMap }: { kind: ImportKind; reading: ImportReading; onMap: (mapping: ImportMapping) => void }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {importFields(kind).map(({ name, isNeeded }) => (
        <Field key={name} label={`${name}${isNeeded ? "" : " (optional)"}`}>
          <Select
            value={reading.mapping[name] ?? ""}
            onChange={(event) => {
              const { [name]: _before, ...rest } = reading.mapping;
              onMap(event.target.value === "" ? rest : { ...rest, [name]: Number(event.target.value) });
            }}
          >
            <option value="">no column</option>
            {reading.header.map((head, index) => (
              <option key={index} value={index}>
                {head || `column ${index + 1}`}
              </option>
            ))}
          </Select>
        </Field>
      ))}
    </div>
  );
}

const SHOWN_FAULTS = 20;

function Reading({ reading: { problems, pages, nodes, rows } }: { reading: ImportReading }) {
  if (problems.length > 0)
    return (
      <Notice tone="warning" title={`${problems.length} ${problems.length === 1 ? "fault" : "faults"} in ${formatCount(rows)} rows`}>
        <ul>
          {problems.slice(0, SHOWN_FAULTS).map(({ line, field, message }) => (
            <li key={`${line} ${field}`}>
              Line {line}, {field}: {message}
            </li>
          ))}
          {problems.length > SHOWN_FAULTS && <li>and {problems.length - SHOWN_FAULTS} more</li>}
        </ul>
      </Notice>
    );
  const words = pages.length > 0 ? `${formatCount(pages.reduce((sum, row) => sum + row.pages, 0))} pages in ${pages.length} rows` : `${nodes.length} stretches of node time`;
  return <Notice title={`Ready: ${words}`} />;
}
