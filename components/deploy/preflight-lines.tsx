"use client";

import { Notice } from "@/components/ui/notice";
import type { Input } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";

/** What in the cluster would stand in the way, before anything is applied: only what is not fine. */
export function PreflightLines(input: Input<"preflight.get">) {
  const { data } = useRead("preflight.get", input, { keepPrevious: true });
  const open = data?.lines.filter((line) => line.level !== "fine") ?? [];
  if (open.length === 0) return null;
  return (
    <ul aria-label="Preflight" className="grid gap-2">
      {open.map((line) => (
        <li key={line.id}>
          <Notice tone={line.level === "blocker" ? "failed" : "warning"} title={line.text}>
            {line.remedy}
            {line.evidence.length > 0 && (
              <details className="mt-1">
                <summary className="cursor-pointer text-sm">Evidence</summary>
                <ul className="font-mono text-sm">{line.evidence.map((each) => <li key={each}>{each}</li>)}</ul>
              </details>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  );
}
