"use client";

import { useState } from "react";

export const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
export const MAX_ZOOM = 4;
const MIN_ZOOM = 0.25;

export type View = {
  zoom: number;
  /** Quarter turns clockwise, 0–3; of the view only, the model was given the page as it is. */
  turns: number;
  larger(): void;
  smaller(): void;
  /** 1: as wide as its place. */
  actual(): void;
  fit(zoom: number): void;
  scale(by: number): void;
  turn(): void;
};

function clamp(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
}

/** How the page is looked at: its size relative to its place, and how it is turned. */
export function useView(): View {
  const [zoom, setZoom] = useState(1);
  const [turns, setTurns] = useState(0);
  return {
    zoom,
    turns,
    larger: () => setZoom((now) => ZOOMS.find((each) => each > now + 0.001) ?? now),
    smaller: () => setZoom((now) => ZOOMS.findLast((each) => each < now - 0.001) ?? now),
    actual: () => setZoom(1),
    fit: (wanted) => setZoom(clamp(wanted)),
    scale: (by) => setZoom((now) => clamp(now * by)),
    turn: () => setTurns((now) => (now + 1) % 4),
  };
}
