"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toaster";
import { useRead, useWrite } from "@/lib/client/hooks";
import { DocumentRules, keptFor } from "@/lib/domain/document-rules";

type RulesDialogProps = { environment: { id: string; name: string } };

const FIELDS: [keyof DocumentRules, string, string][] = [
  ["retentionHours", "Kept for, hours", "0: never stored"],
  ["maxDocumentMegabytes", "File size, MB", "While it is uploaded"],
  ["maxDocumentPages", "Pages", "Of one document"],
  ["maxPageMegapixels", "Megapixels a page", "Of a picture as stored"],
  ["maxDecodedMegabytes", "Decoded picture, MB", "In memory"],
  ["maxPageSeconds", "Seconds to draw a page", "Then the page fails"],
  ["maxPageMemoryMegabytes", "Memory to draw a page, MB", "Then the page fails"],
  ["maxFilesPerHour", "Files an hour", "Uploaded by one person"],
  ["maxMegabytesPerHour", "MB an hour", "Uploaded by one person"],
  ["maxPagesPerHour", "Pages an hour", "Read for one person; batches apart"],
  ["maxReadingsAtOnce", "Readings at once", "Of one person; batches apart"],
];

/** How long an environment keeps documents, and what one may cost there. */
export function RulesDialog({ environment }: RulesDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const rules = useRead("documents.rules", { environmentId: environment.id }, { enabled: isOpen }).data?.rules;
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} trigger={<Button variant="ghost">Document rules</Button>} title={`Documents in ${environment.name}`} description="They hold for the next upload; documents that are here keep the time that they were given.">
      {rules && <RulesForm key={JSON.stringify(rules)} environmentId={environment.id} rules={rules} onDone={() => setOpen(false)} />}
    </Dialog>
  );
}

function RulesForm({ environmentId, rules, onDone }: { environmentId: string; rules: DocumentRules; onDone: () => void }) {
  const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(FIELDS.map(([key]) => [key, String(rules[key])])));
  const save = useWrite("documents.setRules");
  const parsed = DocumentRules.safeParse(Object.fromEntries(FIELDS.map(([key]) => [key, Number(values[key] || NaN)])));
  const errorOf = (key: string) => (parsed.success ? null : (parsed.error.issues.find((issue) => issue.path[0] === key)?.message ?? null));
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success) save.mutate({ environmentId, rules: parsed.data }, { onSuccess: onDone, onError: (error) => toast.error(error.message) });
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {FIELDS.map(([key, label, hint]) => (
          <Field key={key} label={label} hint={key === "retentionHours" && parsed.success ? keptFor(parsed.data.retentionHours) : hint} error={errorOf(key)}>
            <Input inputMode="numeric" value={values[key]} onChange={(event) => setValues({ ...values, [key]: event.target.value })} />
          </Field>
        ))}
      </div>
      <Button type="submit" variant="primary" className="justify-self-end" pending={save.isPending} disabledReason={parsed.success ? null : "A value is out of its range."}>
        Save rules
      </Button>
    </form>
  );
}
