"use client";

import { useEffect, useState, type RefObject } from "react";

const MARGIN = "800px";
const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all: it tells each element once, when it comes near what is in sight. */
function watch(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: MARGIN },
  );
  waiting.set(element, onNear);
  observer.observe(element);
  return () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
}

/** Whether the element has been near the visible part of the page: what is far away need not be set as Markdown yet. */
export function useIsNear(ref: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(() => typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (isNear || !ref.current) return;
    return watch(ref.current, () => setNear(true));
  }, [ref, isNear]);
  return isNear;
}
