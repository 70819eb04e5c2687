"use client";

import { FileUp, FolderUp } from "lucide-react";
import { useRef } from "react";
import { useDropzone } from "react-dropzone";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { formatBytes, formatCount } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { StoredDocuments } from "./stored-documents";
import { isZip, type Material } from "./use-start-batch";

export type Source = "files" | "stored";
type BatchSourceProps = { source: Source; onSource: (source: Source) => void; material: Material; onMaterial: (material: Material) => void; environmentId: string };

/** What the batch is made of: files and archives from this machine, or documents that are stored already. */
export function BatchSource({ source, onSource, material, onMaterial, environmentId }: BatchSourceProps) {
  return (
    <section className="grid min-w-0 gap-3" aria-label="Documents">
      <Segmented label="Where the documents are" value={source} onChange={onSource} options={[{ value: "files", label: "On this machine" }, { value: "stored", label: "Stored in Lectern" }]} />
      {source === "files" ? (
        <Files files={material.files} onFiles={(files) => onMaterial({ files, documentIds: [] })} />
      ) : (
        <StoredDocuments environmentId={environmentId} chosen={material.documentIds} onChoose={(documentIds) => onMaterial({ files: [], documentIds })} />
      )}
    </section>
  );
}

const CLUTTER = /(^|\/)(\.[^/]*|Thumbs\.db)$/;

function Files({ files, onFiles }: { files: File[]; onFiles: (files: File[]) => void }) {
  const take = (more: File[]) => onFiles([...files, ...more.filter((file) => !CLUTTER.test(file.name))]);
  const zone = useDropzone({ onDrop: take, noClick: true, noKeyboard: true });
  const folder = useRef<HTMLInputElement>(null);
  return (
    <div {...zone.getRootProps()} role="group" aria-label="Drop documents, folders or zip archives here" className={cn("grid justify-items-center gap-2.5 rounded-lg border border-dashed border-input bg-card px-4 py-6 text-center transition-colors", zone.isDragActive && "border-accent bg-accent/6")}>
      <input {...zone.getInputProps({ "aria-label": "Choose files or zip archives" })} />
      <input ref={folder} type="file" hidden multiple aria-label="Choose a folder" {...{ webkitdirectory: "" }} onChange={(event) => take([...(event.target.files ?? [])])} />
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => folder.current?.click()}><FolderUp aria-hidden /> Choose a folder</Button>
        <Button onClick={zone.open}><FileUp aria-hidden /> Choose files or a zip</Button>
      </div>
      {files.length === 0 ? (
        <p className="text-sm text-muted-foreground">{zone.isDragActive ? "Let go to add." : "or drop them here. A zip is counted and weighed before anything is unpacked."}</p>
      ) : (
        <p className="flex flex-wrap items-center justify-center gap-x-3 text-sm" aria-live="polite">
          <span>{describe(files)}</span>
          <Button variant="link" size="sm" onClick={() => onFiles([])}>Remove</Button>
        </p>
      )}
    </div>
  );
}

function describe(files: File[]): string {
  const archives = files.filter(isZip).length;
  const parts = [files.length > archives ? formatCount(files.length - archives, "file") : "", archives > 0 ? formatCount(archives, "archive") : ""].filter(Boolean);
  return `${parts.join(" and ")}, ${formatBytes(files.reduce((sum, { size }) => sum + size, 0), "decimal")}`;
}
