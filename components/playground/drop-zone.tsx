"use client";

import { FileUp, X } from "lucide-react";
import { useDropzone } from "react-dropzone";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Progress } from "@/components/ui/progress";
import { StatusIcon } from "@/components/ui/status";
import { defaultDocumentLimits, describeLimits } from "@/lib/domain/document";
import type { UploadItem } from "./use-uploads";

type DropZoneProps = { onFiles: (files: File[]) => void; items: UploadItem[]; onDismiss: (id: number) => void; disabledReason: string | undefined; isSmall: boolean };

/** Takes dropped, chosen and pasted files; says what it takes before anything is dropped. */
export function DropZone({ onFiles, items, onDismiss, disabledReason, isSmall }: DropZoneProps) {
  const zone = useDropzone({ onDrop: (files) => onFiles(files), disabled: disabledReason !== undefined, noClick: true, noKeyboard: true });
  return (
    <div className="grid gap-3">
      <div
        {...zone.getRootProps()}
        role="group"
        aria-label="Drop documents here"
        onPaste={(event) => onFiles([...event.clipboardData.files])}
        className={cn(
          "grid justify-items-center gap-2 rounded-lg border border-dashed border-input bg-card px-4 text-center transition-colors",
          isSmall ? "py-4" : "py-16",
          zone.isDragActive && "border-accent bg-accent/6",
        )}
      >
        <input {...zone.getInputProps({ "aria-label": "Choose documents" })} />
        {!isSmall && <FileUp aria-hidden className="size-8 text-muted-foreground" />}
        <Button variant={isSmall ? "secondary" : "primary"} onClick={zone.open} disabledReason={disabledReason}>
          Choose documents
        </Button>
        <p className="max-w-prose text-sm text-muted-foreground">or drop or paste them here. {describeLimits(defaultDocumentLimits)}.</p>
      </div>
      {items.length > 0 && (
        <ul className="grid gap-2" aria-label="Uploads">
          {items.map((item) => (
            <UploadRow key={item.id} item={item} onDismiss={() => onDismiss(item.id)} />
          ))}
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
      <Progress className="flex-1" label={`${item.state === "checking" ? "Checking" : "Uploading"} ${item.name}`} value={item.share} max={1} showLabel />
      <Button variant="ghost" size="sm" onClick={item.cancel}>
        Cancel
      </Button>
    </li>
  );
}
