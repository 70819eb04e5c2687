"use client";

import { FileUp, FolderUp, X } from "lucide-react";
import { useRef } from "react";
import { useDropzone } from "react-dropzone";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Progress } from "@/components/ui/progress";
import { StatusIcon } from "@/components/ui/status";
import type { UploadItem } from "./use-uploads";

type DropZoneProps = { onFiles: (files: File[]) => void; items: UploadItem[]; onDismiss: (id: number) => void; disabledReason: string | undefined; hint: string; isSmall: boolean };

const SHOWN_ITEMS = 40;
const WORDS: Record<UploadItem["state"], string> = { waiting: "Waiting to upload", sending: "Uploading", checking: "Checking", failed: "" };

/** Takes dropped, chosen and pasted files and folders; says what it takes before anything is dropped. */
export function DropZone({ onFiles, items, onDismiss, disabledReason, hint, isSmall }: DropZoneProps) {
  const zone = useDropzone({ onDrop: (files) => onFiles(files), disabled: disabledReason !== undefined, noClick: true, noKeyboard: true });
  const folder = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-3">
      <div
        {...zone.getRootProps()}
        role="group"
        aria-label="Drop documents here"
        className={cn(
          "grid justify-items-center gap-2 rounded-lg border border-dashed border-input bg-card px-4 text-center transition-colors",
          isSmall ? "py-4" : "py-14",
          zone.isDragActive && "border-accent bg-accent/6",
        )}
      >
        <input {...zone.getInputProps({ "aria-label": "Choose documents" })} />
        <input ref={folder} type="file" hidden multiple aria-label="Choose a folder" {...{ webkitdirectory: "" }} onChange={(event) => onFiles([...(event.target.files ?? [])])} />
        {!isSmall && <FileUp aria-hidden className="size-8 text-muted-foreground" />}
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant={isSmall ? "secondary" : "primary"} onClick={zone.open} disabledReason={disabledReason}>
            Choose documents
          </Button>
          <Button onClick={() => folder.current?.click()} disabledReason={disabledReason}>
            <FolderUp aria-hidden /> Choose a folder
          </Button>
        </div>
        <p className="max-w-prose text-sm text-muted-foreground">
          {zone.isDragActive ? "Let go to upload." : <>or drop or paste them here. {hint}</>}
        </p>
      </div>
      {items.length > 0 && (
        <ul className="grid gap-2" aria-label="Uploads">
          {items.slice(0, SHOWN_ITEMS).map((item) => (
            <UploadRow key={item.id} item={item} onDismiss={() => onDismiss(item.id)} />
          ))}
          {items.length > SHOWN_ITEMS && <li className="text-sm text-muted-foreground">and {items.length - SHOWN_ITEMS} more</li>}
        </ul>
      )}
    </div>
  );
}

function UploadRow({ item, onDismiss }: { item: UploadItem; onDismiss: () => void }) {
  if (item.state === "failed") {
    return (
      <li role="alert" className="flex items-start gap-2 rounded-md border border-failed/45 bg-failed/6 px-3 py-2">
        <StatusIcon state="failed" className="mt-0.5" />
        <p className="min-w-0 flex-1 break-words">
          <span className="font-medium">{item.name}</span>: {item.reason}
        </p>
        <Button variant="ghost" size="icon" aria-label={`Dismiss ${item.name}`} onClick={onDismiss}>
          <X aria-hidden />
        </Button>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-2">
      <Progress className="flex-1" label={`${WORDS[item.state]} ${item.name}`} value={item.share} max={1} showLabel />
      <Button variant="ghost" size="sm" onClick={item.cancel}>
        Cancel
      </Button>
    </li>
  );
}
