"use client";

import { useMemo, useState } from "react";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/components/ui/format";
import { BREAK, diffWords, type DiffPart } from "@/lib/domain/word-diff";

export type Column = { title: React.ReactNode; name: string; text: string; note: string };

/** Two readings side by side: what only one has, and what the other has elsewhere. */
export function WordColumns({ left, right }: { left: Column; right: Column }) {
  const diff = useMemo(() => diffWords(left.text, right.text), [left.text, right.text]);
  const [move, setMove] = useState<number | null>(null);
  const total = diff.same + diff.moved + diff.onlyLeft;
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-sm text-muted-foreground">
        {total === 0 && diff.onlyRight === 0 ? "Neither has words on this page." : `${formatCount(diff.same, "word")} alike, ${diff.moved} moved, ${diff.onlyLeft} only in ${left.name}, ${diff.onlyRight} only in ${right.name}.`}
      </p>
      <div className="grid min-w-0 gap-4 md:grid-cols-2">
        <Words column={left} parts={diff.left} side="left" move={move} onMove={setMove} />
        <Words column={right} parts={diff.right} side="right" move={move} onMove={setMove} />
      </div>
    </div>
  );
}

type WordsProps = { column: Column; parts: DiffPart[]; side: "left" | "right"; move: number | null; onMove: (move: number | null) => void };

function Words({ column, parts, side, move, onMove }: WordsProps) {
  return (
    <section className="grid min-w-0 content-start gap-2" aria-label={`Text of ${column.name}`}>
      <h3 className="flex items-center gap-2 font-medium">{column.title}</h3>
      {column.note && <p className="text-sm text-working">{column.note}</p>}
      <div className="max-h-[70dvh] overflow-y-auto rounded-md border bg-card p-3 leading-relaxed break-words" tabIndex={0} role="group" aria-label={`Words of ${column.name}`}>
        {parts.map((part, index) => <Part key={index} part={part} side={side} isLit={part.move !== null && part.move === move} onMove={onMove} />)}
      </div>
    </section>
  );
}

function Part({ part: { kind, words, move }, side, isLit, onMove }: { part: DiffPart; side: "left" | "right"; isLit: boolean } & Pick<WordsProps, "onMove">) {
  const text = words.map((word, index) => (word === BREAK ? <br key={index} /> : `${word} `));
  if (kind === "same") return <span>{text}</span>;
  if (kind === "only") return <mark className={cn("rounded-[3px] border-b-2 px-0.5 text-foreground", side === "left" ? "border-failed border-dashed bg-failed/14" : "border-ready border-solid bg-ready/16")}>{text}</mark>;
  return (
    <mark className={cn("rounded-[3px] border-b-2 border-dotted border-accent bg-accent/10 px-0.5 text-foreground", isLit && "bg-accent/28")} onPointerEnter={() => onMove(move)} onPointerLeave={() => onMove(null)} title={`Moved: the same words stand elsewhere in the other text (${move}).`}>
      <sup className="mr-0.5 font-semibold text-accent">{move}</sup>
      {text}
    </mark>
  );
}

export function DiffLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground" aria-label="Marks">
      <li><span className="border-b-2 border-dashed border-failed bg-failed/14 px-1 text-foreground">only on the left</span></li>
      <li><span className="border-b-2 border-ready bg-ready/16 px-1 text-foreground">only on the right</span></li>
      <li><span className="border-b-2 border-dotted border-accent bg-accent/10 px-1 text-foreground"><sup className="text-accent">1</sup> moved</span></li>
    </ul>
  );
}
