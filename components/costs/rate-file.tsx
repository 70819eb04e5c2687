"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useWrite } from "@/lib/client/hooks";
import { ratesOfFile, type FileRate } from "@/lib/domain/price-rate-file";

type Loaded = { name: string; rates: FileRate[]; problem: string | null };

/** Many exchange rates at once: seen before they are entered. */
export function RateFile({ onDone }: { onDone: (count: number) => void }) {
  const [file, setFile] = useState<Loaded | null>(null);
  const set = useWrite("prices.set", ["costs"]);
  const load = async (chosen: File | undefined) => {
    if (!chosen) return setFile(null);
    const text = await chosen.text();
    try {
      setFile({ name: chosen.name, rates: ratesOfFile(text), problem: null });
    } catch (error) {
      setFile({ name: chosen.name, rates: [], problem: error instanceof Error ? error.message : "The file cannot be read." });
    }
  };
  const enter = async (rates: FileRate[], name: string) => {
    try {
      for (const rate of rates) await set.mutateAsync({ draft: { kind: "rate", ...rate, source: name } });
      onDone(rates.length);
    } catch {
      // The write's own error is shown.
    }
  };
  return (
    <div className="grid gap-3 border-t pt-4">
      <Field label="Or load rates from a file" hint="The ECB's eurofxref-daily.xml, or CSV with base, quote, rate, date.">
        <Input type="file" accept=".xml,.csv,text/csv,text/xml" onChange={(event) => void load(event.target.files?.[0])} />
      </Field>
      {file?.problem && <Notice tone="failed" title={file.problem} />}
      {set.error && <Notice tone="failed" title={set.error.message} />}
      {file && file.rates.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="min-w-0 text-sm text-muted-foreground">
            {file.rates[0]?.date}: {file.rates.slice(0, 6).map(({ base, quote, rate }) => `${base}/${quote} ${rate}`).join(", ")}
            {file.rates.length > 6 && ` and ${file.rates.length - 6} more`}
          </span>
          <Button pending={set.isPending} onClick={() => void enter(file.rates, file.name)}>
            Enter {file.rates.length} {file.rates.length === 1 ? "rate" : "rates"}
          </Button>
        </div>
      )}
    </div>
  );
}
