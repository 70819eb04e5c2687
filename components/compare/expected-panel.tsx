"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { useWrite } from "@/lib/client/hooks";

/** The text that the pages should have: pasted, or taken from a file. */
export function ExpectedPanel({ id, expected }: { id: string; expected: string }) {
  const save = useWrite("compare.setExpected");
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const shown = text ?? expected;
  async function send(next: string) {
    const done = await save.mutateAsync({ id, text: next }).catch(() => null);
    if (done) {
      setText(undefined);
      setOpen(false);
    }
  }
  if (!isOpen)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={() => setOpen(true)}>{expected ? "Change the expected text" : "Give the expected text"}</Button>
        <p className="text-sm text-muted-foreground">{expected ? "Scored against the text that you gave." : "With the true text of the pages, each lane is scored: characters wrong and words found."}</p>
      </div>
    );
  return (
    <Panel title="Expected text" description="Kept sealed with this comparison, and deleted with the document.">
      <div className="grid gap-3">
        <Field label="Text of the pages" hint='Part pages with form feeds, or with lines like "--- page 2 ---".' aside={<FileChooser onText={setText} />}>
          <Textarea rows={10} mono value={shown} onChange={(event) => setText(event.target.value)} />
        </Field>
        {save.error && <Notice tone="failed" title={save.error.message} />}
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" pending={save.isPending} onClick={() => void send(shown)} disabledReason={shown.trim() === "" ? "Paste or choose a text first." : null}>Score the lanes</Button>
          {expected && <Button onClick={() => void send("")}>Take the text away</Button>}
          <Button variant="ghost" onClick={() => setOpen(false)}>Close</Button>
        </div>
      </div>
    </Panel>
  );
}

function FileChooser({ onText }: { onText: (text: string) => void }) {
  return (
    <label className="cursor-pointer text-accent underline-offset-4 focus-within:underline hover:underline">
      Take it from a file
      <input type="file" accept=".txt,.md,text/plain,text/markdown" className="sr-only" onChange={(event) => void event.target.files?.[0]?.text().then(onText)} />
    </label>
  );
}
