"use client";

import { Upload } from "lucide-react";
import { useRef, type ChangeEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";

export type KubeconfigFieldProps = { value: string; onChange: (value: string) => void; error?: string | null };

/** Paste or a file; what is in it stays on this page until it is sent, and is never shown again afterwards. */
export function KubeconfigField({ value, onChange, error }: KubeconfigFieldProps) {
  const file = useRef<HTMLInputElement>(null);

  async function take(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? [];
    if (chosen) onChange(await chosen.text());
    event.target.value = "";
  }

  return (
    <div className="grid gap-2">
      <Field
        label="Kubeconfig"
        hint="Server, CA and a token or client certificate, all inline. It is sealed at once and never shown again."
        error={error ?? null}
        required
        aside={
          <Button variant="link" size="sm" onClick={() => file.current?.click()}>
            <Upload aria-hidden />
            Choose a file
          </Button>
        }
      >
        <Textarea mono rows={8} required autoComplete="off" value={value} onChange={(event) => onChange(event.target.value)} placeholder={"apiVersion: v1\nkind: Config\n…"} />
      </Field>
      <input ref={file} type="file" className="sr-only" tabIndex={-1} aria-label="Kubeconfig file" onChange={(event) => void take(event)} />
    </div>
  );
}
