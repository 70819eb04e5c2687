"use client";

import { useEffect, useRef, type RefObject } from "react";

function distance(touches: TouchList): number {
  const [a, b] = [touches[0], touches[1]];
  return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
}

/** Two fingers, or the wheel with Ctrl (what a trackpad's pinch arrives as), scale the content of a scroller. */
export function usePinch(scroller: RefObject<HTMLElement | null>, onScale: (by: number) => void): void {
  const latest = useRef(onScale);
  useEffect(() => {
    latest.current = onScale;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let before = 0;
    const start = (event: TouchEvent) => (before = event.touches.length === 2 ? distance(event.touches) : 0);
    const move = (event: TouchEvent) => {
      if (before === 0 || event.touches.length !== 2) return;
      event.preventDefault();
      const now = distance(event.touches);
      latest.current(now / before);
      before = now;
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      latest.current(Math.exp(-event.deltaY / 200));
    };
    element.addEventListener("touchstart", start, { passive: true });
    element.addEventListener("touchmove", move, { passive: false });
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("touchstart", start);
      element.removeEventListener("touchmove", move);
      element.removeEventListener("wheel", wheel);
    };
  }, [scroller]);
}
