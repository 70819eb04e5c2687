"use client";

import { useMemo } from "react";
import { Field, Select } from "@/components/ui/field";
import { formatNumber, formatPercent } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import type { Output } from "@/lib/client/api";
import { useUrlState } from "@/lib/client/url-state";
import { expectedText, laneText } from "@/lib/domain/compare-lane";
import { splitExpected } from "@/lib/domain/compare-expected";
import { parseGrounding } from "@/lib/domain/grounding";
import { LaneBoxes } from "./lane-boxes";
import { LaneLetter } from "./lane-letter";
import { laneStyle } from "./lane-style";
import type { Lane } from "./lane-table";
import { DiffLegend, WordColumns, type Column } from "./word-columns";

const EXPECTED = "expected";
type Comparison = Output<"compare.get">;

/** One page in two of the lanes, or in a lane and as it is expected; which, the address says. */
export function PagePair({ data: { comparison, lanes, expected } }: { data: Comparison }) {
  const url = useUrlState();
  const numbers = lanes[0]?.pages.map(({ number }) => number) ?? [];
  const page = numbers.find((number) => String(number) === url.get("page")) ?? numbers[0] ?? 1;
  const pages = useMemo(() => (expected ? splitExpected(expected, []) : {}), [expected]);
  const letters: string[] = lanes.map((_, index) => laneStyle(index).letter);
  const sides = [...letters, ...(pages[page] === undefined ? [] : [EXPECTED])];
  const left = sides.find((side) => side === url.get("left")) ?? letters[0] ?? "A";
  const right = sides.find((side) => side === url.get("right")) ?? letters[1] ?? "B";
  const column = (side: string) => columnOf(side, { lanes, page, expected: pages[page] ?? "" });
  const boxes = [left, right].flatMap((side) => (side === EXPECTED ? [] : [letters.indexOf(side)])).filter((index, at, all) => all.indexOf(index) === at);
  return (
    <Panel title={`Page ${page}`} actions={<Chooser {...{ numbers, page, sides, left, right }} onChange={url.set} />}>
      <div className="grid min-w-0 gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <LaneBoxes documentId={comparison.documentId} page={page} lanes={boxes.map((index) => ({ index, blocks: parseGrounding(lanes[index]?.pages.find(({ number }) => number === page)?.answer ?? "") }))} />
        <div className="grid min-w-0 content-start gap-3">
          <DiffLegend />
          <WordColumns left={column(left)} right={column(right)} />
        </div>
      </div>
    </Panel>
  );
}

function columnOf(side: string, { lanes, page, expected }: { lanes: readonly Lane[]; page: number; expected: string }): Column {
  if (side === EXPECTED) return { title: "Expected", name: "the expected text", text: expectedText(expected), note: "" };
  const index = lanes.findIndex((_, at) => laneStyle(at).letter === side);
  const lane = lanes[index];
  const read = lane?.pages.find(({ number }) => number === page);
  const seconds = read && read.seconds !== null ? `${formatNumber(read.seconds, { digits: 2 })} s` : "";
  const score = read?.score ? `${formatPercent(read.score.characterErrorRate, 2)} wrong, ${formatPercent(read.score.wordRecall, 1)} of words` : "";
  const isOpen = read?.state === "queued" || read?.state === "running";
  return {
    title: <><LaneLetter index={Math.max(0, index)} /> <span className="min-w-0 break-words">{lane?.engine} <span className="text-sm font-normal text-muted-foreground">{[seconds, score].filter(Boolean).join(" · ")}</span></span></>,
    name: side,
    text: laneText(read?.answer ?? ""),
    note: read?.reason || (isOpen ? "Is being read." : ""),
  };
}

type ChooserProps = { numbers: number[]; page: number; sides: string[]; left: string; right: string; onChange: (change: Record<string, string>) => void };

function Chooser({ numbers, page, sides, left, right, onChange }: ChooserProps) {
  const word = (side: string) => (side === EXPECTED ? "Expected text" : `Lane ${side}`);
  return (
    <>
      {numbers.length > 1 && <Field label={<span className="sr-only">Page</span>}><Select value={String(page)} onChange={(event) => onChange({ page: event.target.value })}>{numbers.map((number) => <option key={number} value={number}>Page {number}</option>)}</Select></Field>}
      <Field label={<span className="sr-only">Left</span>}><Select value={left} onChange={(event) => onChange({ left: event.target.value })}>{sides.map((side) => <option key={side} value={side}>{word(side)}</option>)}</Select></Field>
      <Field label={<span className="sr-only">Right</span>}><Select value={right} onChange={(event) => onChange({ right: event.target.value })}>{sides.map((side) => <option key={side} value={side}>{word(side)}</option>)}</Select></Field>
    </>
  );
}
