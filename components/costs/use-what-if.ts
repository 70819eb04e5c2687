"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { levers, type Lever } from "@/lib/domain/cost-levers";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import { solveWhatIf, WhatIf, whatIfOf, type WhatIfResult } from "@/lib/domain/cost-whatif";
import { DomainError } from "@/lib/domain/errors";
import type { PriceBook } from "@/lib/domain/price-book";
import { newestRate } from "@/lib/domain/price-rate";

const PARAM = "whatif";
const Changes = WhatIf.partial();
type Changes = Partial<WhatIf>;
/** Dragging a slider must not write the address fifty times a second. */
const WRITE_AFTER_MS = 300;

export type WhatIfState = {
  input: WhatIf;
  changes: Changes;
  set: (changes: Changes) => void;
  reset: () => void;
  result: WhatIfResult | null;
  problem: string | null;
  /** The same once nobody drags: for what stands beneath the chart, so that the chart follows at once. */
  settled: { input: WhatIf; isChanged: boolean; result: WhatIfResult | null; levers: Lever[] };
};

/** The what-if on the page: the month as logged, or a saved scenario, with the changes that the address carries. Solved here, without asking the server. */
export function useWhatIf(report: CostReport, book: PriceBook | undefined, pinned: WhatIf | null): WhatIfState | null {
  const params = useSearchParams();
  const [changes, setChanges] = useState<Changes>(() => readChanges(params.get(PARAM)));
  useEffect(() => {
    const timer = setTimeout(() => writeChanges(changes), WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [changes]);
  const base = useMemo(() => pinned ?? (book ? monthAsWhatIf(report, book) : null), [report, book, pinned]);
  const input = useMemo(() => base && { ...base, ...changes }, [base, changes]);
  const solved = useMemo(() => (input && book ? attempt(() => solveWhatIf(input, book)) : null), [input, book]);
  const set = useCallback((next: Changes) => setChanges((before) => ({ ...before, ...next })), []);
  const reset = useCallback(() => setChanges({}), []);
  const settled = useSettled({ input, changes, solved }, book);
  if (!input || !settled) return null;
  return { input, changes, set, reset, result: solved?.value ?? null, problem: solved?.problem ?? null, settled };
}

type Solved = { input: WhatIf | null; changes: Changes; solved: { value: WhatIfResult | null } | null };

function useSettled({ input, changes, solved }: Solved, book: PriceBook | undefined): WhatIfState["settled"] | null {
  const now = useMemo(() => ({ input, isChanged: Object.keys(changes).length > 0, result: solved?.value ?? null }), [input, changes, solved]);
  const later = useDeferredValue(now);
  return useMemo(() => {
    const { input: asked } = later;
    const found = asked && book ? attempt(() => levers(asked, book)) : null;
    return asked && { ...later, input: asked, levers: found?.value ?? [] };
  }, [later, book]);
}

function monthAsWhatIf(report: CostReport, book: PriceBook): WhatIf | null {
  const offerIds = report.apis.map((api) => api.id);
  return whatIfOf(report, offerIds, report.rate ?? newestRate(book));
}

/** The what-if that an address holds, solved once; null where it holds none, or has no answer. `search`: what stands behind the address's "?". */
export function whatIfAt(search: string, { report, book, pinned }: { report: CostReport; book: PriceBook; pinned: WhatIf | null }): WhatIfResult | null {
  const changes = readChanges(new URLSearchParams(search).get(PARAM));
  if (!pinned && Object.keys(changes).length === 0) return null;
  const base = pinned ?? monthAsWhatIf(report, book);
  return base && attempt(() => solveWhatIf({ ...base, ...changes }, book)).value;
}

function attempt<T>(run: () => T): { value: T | null; problem: string | null } {
  try {
    return { value: run(), problem: null };
  } catch (error) {
    if (error instanceof DomainError) return { value: null, problem: error.message };
    throw error;
  }
}

function readChanges(text: string | null): Changes {
  if (!text) return {};
  try {
    return Changes.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

function writeChanges(changes: Changes): void {
  const url = new URL(window.location.href);
  if (Object.keys(changes).length > 0) url.searchParams.set(PARAM, JSON.stringify(changes));
  else url.searchParams.delete(PARAM);
  if (url.href !== window.location.href) window.history.replaceState(null, "", url);
}
