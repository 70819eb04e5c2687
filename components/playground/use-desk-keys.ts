"use client";

import { useEffect, useRef } from "react";

export type DeskKeys = { page(by: number): void; block(by: number): void; larger(): void; smaller(): void; actual(): void; fit(): void; turn(): void; find(): void; leave(): void };

const DEEDS: Record<string, (keys: DeskKeys) => void> = {
  ArrowLeft: (keys) => keys.page(-1),
  ArrowRight: (keys) => keys.page(1),
  PageUp: (keys) => keys.page(-1),
  PageDown: (keys) => keys.page(1),
  ArrowUp: (keys) => keys.block(-1),
  ArrowDown: (keys) => keys.block(1),
  "+": (keys) => keys.larger(),
  "=": (keys) => keys.larger(),
  "-": (keys) => keys.smaller(),
  "0": (keys) => keys.actual(),
  f: (keys) => keys.fit(),
  r: (keys) => keys.turn(),
  "/": (keys) => keys.find(),
  Escape: (keys) => keys.leave(),
};

/** Widgets that have a meaning of their own for these keys. */
const OWN_KEYS = "input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=alertdialog], [role=radiogroup], [role=tablist], [role=listbox]";

/** The desk's keys, heard wherever the focus is, unless it is in something that types or has arrow keys of its own. */
export function useDeskKeys(keys: DeskKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
      const deed = DEEDS[event.key];
      if (!deed) return;
      event.preventDefault();
      deed(latest.current);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
