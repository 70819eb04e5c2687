"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";

type LogLinesProps = { lines: readonly { at: string; text: string }[]; label: string; isFollowing: boolean };

const LINE_PX = 20;

/** Only the lines in sight are in the page: 100,000 of them scroll like ten. */
export function LogLines({ lines, label, isFollowing }: LogLinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by hand
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => frame.current, estimateSize: () => LINE_PX, overscan: 20 });
  useEffect(() => {
    if (isFollowing) frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [isFollowing, lines.length]);
  return (
    <div ref={frame} role="log" aria-label={label} aria-live="off" tabIndex={0} className="h-[28rem] overflow-auto rounded-lg border bg-card py-2 font-mono text-sm">
      <div className="relative min-w-max" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <div key={row.key} className="absolute left-0 px-3 leading-5 whitespace-pre" style={{ top: row.start, height: LINE_PX }}>
            <span className="mr-3 text-muted-foreground select-none">{lines[row.index]?.at.slice(11, 19)}</span>
            {lines[row.index]?.text}
          </div>
        ))}
      </div>
    </div>
  );
}
