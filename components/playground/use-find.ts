"use client";

import { useCallback, useDeferredValue, useMemo } from "react";
import { findText, type Hit } from "@/lib/domain/block-text";
import { parseGrounding, type Block } from "@/lib/domain/grounding";
import type { RunPage } from "./use-run";

export type Place = { page: number; block: number | null };
export type Find = {
  total: number;
  blocks: number;
  pages: number;
  hitsOn(page: number): number;
  /** The same function until the hits change. */
  isHit(page: number, block: Block): boolean;
  /** Goes to the next (1) or previous (−1) block with a hit, round the document. */
  step(by: 1 | -1): void;
};

function isAfter(hit: Hit, at: Place): boolean {
  return hit.page > at.page || (hit.page === at.page && hit.block > (at.block ?? -1));
}

function isBefore(hit: Hit, at: Place): boolean {
  return hit.page < at.page || (hit.page === at.page && at.block !== null && hit.block < at.block);
}

function groupByPage(hits: readonly Hit[]): Map<number, Hit[]> {
  const groups = new Map<number, Hit[]>();
  for (const hit of hits) groups.set(hit.page, [...(groups.get(hit.page) ?? []), hit]);
  return groups;
}

type FindInput = { pages: readonly RunPage[]; query: string; at: Place; isShown: (block: Block) => boolean; go: (place: Place) => void };

/** The hits of a search over all pages that have text, without blocks whose label is hidden. */
export function useFind({ pages, query, at, isShown, go }: FindInput): Find {
  const settled = useDeferredValue(query.trim());
  const parsed = useMemo(() => (settled.length < 2 ? [] : pages.filter((page) => page.text !== "").map((page) => ({ number: page.number, blocks: parseGrounding(page.text) }))), [pages, settled]);
  const hits = useMemo(() => {
    const shown = parsed.map(({ number, blocks }) => ({ number, blocks: blocks.filter(isShown) }));
    return findText(shown, settled);
  }, [parsed, settled, isShown]);
  const byPage = useMemo(() => groupByPage(hits), [hits]);
  const places = useMemo(() => new Set(hits.map((hit) => `${hit.page} ${hit.block}`)), [hits]);
  const isHit = useCallback((page: number, block: Block) => places.has(`${page} ${block.index}`), [places]);
  return {
    total: hits.reduce((sum, hit) => sum + hit.count, 0),
    blocks: hits.length,
    pages: byPage.size,
    hitsOn: (page) => byPage.get(page)?.reduce((sum, hit) => sum + hit.count, 0) ?? 0,
    isHit,
    step(by) {
      const next = by === 1 ? (hits.find((hit) => isAfter(hit, at)) ?? hits[0]) : (hits.findLast((hit) => isBefore(hit, at)) ?? hits.at(-1));
      if (next) go({ page: next.page, block: next.block });
    },
  };
}
