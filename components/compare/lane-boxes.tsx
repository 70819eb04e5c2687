import { readUrl } from "@/lib/client/api";
import type { Block } from "@/lib/domain/grounding";
import { laneStyle } from "./lane-style";

export type BoxLane = { index: number; blocks: readonly Block[] };

/** One picture of the page with the boxes of both lanes, each in its lane's colour and outline. */
export function LaneBoxes({ documentId, page, lanes }: { documentId: string; page: number; lanes: readonly BoxLane[] }) {
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <div className="relative overflow-hidden rounded-md border bg-white">
        {/* eslint-disable-next-line @next/next/no-img-element -- private pictures must not pass an image optimiser with a cache */}
        <img src={readUrl("documents.page", { id: documentId, number: page, modelId: "lightonocr-3-1b", preset: "standard", maxEdge: 1540 })} alt={`Page ${page} of the document`} className="block w-full" />
        {lanes.map(({ index, blocks }) => blocks.map((block) => block.box && <Box key={`${index}-${block.index}`} box={block.box} lane={index} label={block.label} />))}
      </div>
      <figcaption className="text-sm text-muted-foreground">{captionOf(lanes)}</figcaption>
    </figure>
  );
}

function Box({ box: [left, top, right, bottom], lane, label }: { box: NonNullable<Block["box"]>; lane: number; label: string }) {
  const { letter, color, outline } = laneStyle(lane);
  const isSecond = lane % 2 === 1;
  return (
    <div
      title={`${letter}: ${label}`}
      className="absolute rounded-[2px]"
      style={{ left: `${left / 10}%`, top: `${top / 10}%`, width: `${(right - left) / 10}%`, height: `${(bottom - top) / 10}%`, border: `${outline === "double" ? 3 : 1.5}px ${outline} ${color}`, backgroundColor: `color-mix(in oklch, ${color} ${isSecond ? 4 : 7}%, transparent)` }}
    />
  );
}

function captionOf(lanes: readonly BoxLane[]): string {
  return lanes
    .map(({ index, blocks }) => {
      const { letter, outline } = laneStyle(index);
      const boxes = blocks.filter(({ box }) => box).length;
      return boxes === 0 ? `${letter} has no boxes` : `${letter}: ${boxes} boxes, ${outline}`;
    })
    .join(" · ");
}
