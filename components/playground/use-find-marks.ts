"use client";

import { useEffect, type RefObject } from "react";
import { foldText } from "@/lib/domain/block-text";

const NAME = "find";
const MAX_MARKS = 1_000;

/** The places of the words in one text node. Folding may change the length, so it goes letter by letter. */
function rangesIn(node: Text, wanted: string): Range[] {
  const letters = [...node.data].map((letter) => ({ letter, folded: /\s/.test(letter) ? " " : foldText(letter) }));
  const text = letters.map(({ folded }) => folded).join("");
  const ranges: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(node, offsetOf(letters, at));
    range.setEnd(node, offsetOf(letters, at + wanted.length));
    ranges.push(range);
  }
  return ranges;
}

/** Where in the node's own text the folded position lies. */
function offsetOf(letters: { letter: string; folded: string }[], position: number): number {
  let [folded, own] = [0, 0];
  for (const each of letters) {
    if (folded >= position) break;
    folded += each.folded.length;
    own += each.letter.length;
  }
  return own;
}

function marksIn(root: Node, wanted: string): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node && ranges.length < MAX_MARKS; node = walker.nextNode()) {
    if (node instanceof Text) ranges.push(...rangesIn(node, wanted));
  }
  return ranges;
}

/** Marks the words that are searched for, without touching the document: the browser paints named ranges (globals.css, ::highlight(find)). */
export function useFindMarks(root: RefObject<HTMLElement | null>, query: string, content: unknown): void {
  useEffect(() => {
    const wanted = foldText(query).trim();
    const element = root.current;
    if (wanted.length < 2 || !element || typeof Highlight === "undefined") return;
    const paint = () => CSS.highlights.set(NAME, new Highlight(...marksIn(element, wanted)));
    const observer = new MutationObserver(paint); // blocks are set as Markdown when they come near
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    paint();
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [root, query, content]);
}
