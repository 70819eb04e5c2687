"use client";

import { cn } from "@/components/ui/cn";
import { StatusIcon, type State } from "@/components/ui/status";
import type { RunPage } from "./use-run";

type PageListProps = { count: number; pages: RunPage[]; current: number; onChoose: (number: number) => void };

const LOOKS: Record<RunPage["state"], State> = { queued: "waiting", running: "working", done: "ready", truncated: "waiting", failed: "failed", cancelled: "unknown" };

/** Every page with how far it is; the current one is shown. */
export function PageList({ count, pages, current, onChoose }: PageListProps) {
  return (
    <ol aria-label="Pages" className="flex gap-1.5 overflow-x-auto lg:grid lg:max-h-[calc(100dvh-14rem)] lg:overflow-y-auto">
      {Array.from({ length: count }, (_, index) => index + 1).map((number) => {
        const page = pages.find((each) => each.number === number);
        return (
          <li key={number}>
            <button
              type="button"
              aria-current={number === current ? "page" : undefined}
              onClick={() => onChoose(number)}
              className={cn("flex h-9 w-full items-center gap-2 rounded-md border px-2.5 tabular-nums transition-colors hover:bg-muted pointer-coarse:h-11", number === current ? "border-accent bg-accent/6 font-medium" : "border-transparent")}
            >
              {page ? <StatusIcon state={LOOKS[page.state]} /> : <StatusIcon state="unknown" />}
              <span>
                <span className="sr-only">Page </span>
                {number}
                <span className="sr-only">, {page?.state ?? "not read"}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
