"use client";

import { useMemo } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { explainLines } from "@/lib/domain/manifest/explain-lines";
import { useYamlLines } from "./yaml-lines";

/** The manifests, each line with its reason on hover; the same reasons as a list, for the keyboard and for reading through. */
export function ExplainedYaml({ yaml }: { yaml: string }) {
  const coloured = useYamlLines(yaml);
  const explained = useMemo(() => explainLines(yaml), [yaml]);
  const rows = yaml.replace(/\n$/, "").split("\n");
  const reasons = new Map(explained.map((each) => [each.line, each.reason]));
  const lines = rows.map((row, index) => {
    const text = coloured?.[index] ?? row;
    const reason = reasons.get(index);
    return reason === undefined || row === "" ? text : <span key={index} title={reason} className="cursor-help underline decoration-muted-foreground/60 decoration-dotted underline-offset-4">{text}</span>;
  });
  return (
    <div className="grid gap-3">
      <CodeBlock code={yaml} label="manifests.yaml" className="max-h-[28rem]" lines={lines} />
      <details className="rounded-lg border px-4 py-3">
        <summary className="cursor-pointer font-medium">Why each line is there</summary>
        <dl className="mt-3 grid gap-3 text-sm">
          {explained.map(({ line, reason }) => (
            <div key={line} className="grid gap-0.5">
              <dt className="font-mono break-all">
                <span className="text-muted-foreground">{line + 1}</span> {rows[line]?.trim()}
              </dt>
              <dd className="text-muted-foreground">{reason}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
