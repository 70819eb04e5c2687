"use client";

import { useMemo, useState } from "react";
import { createGroundingParser, parseGrounding, type Block, type GroundingParser } from "@/lib/domain/grounding";

const NO_BLOCKS: readonly Block[] = [];

/** Parses a growing text piece by piece; a text that does not go on from the one before is parsed anew. */
function createFollower() {
  let parser: GroundingParser = createGroundingParser();
  let seen = "";
  return (text: string): readonly Block[] => {
    if (!text.startsWith(seen)) {
      parser = createGroundingParser();
      seen = "";
    }
    parser.push(text.slice(seen.length));
    seen = text;
    return parser.blocks;
  };
}

/** The blocks of a page's text. While it is being written, finished blocks stay the same objects, so that only the last is drawn again. */
export function useBlocks(text: string | undefined, isWriting: boolean): readonly Block[] {
  const [follow] = useState(createFollower);
  return useMemo(() => {
    if (!text) return NO_BLOCKS;
    return isWriting ? follow(text) : parseGrounding(text);
  }, [text, isWriting, follow]);
}
