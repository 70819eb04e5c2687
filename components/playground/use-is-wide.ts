"use client";

import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 64rem)"; // Tailwind's lg, where the desk has three columns

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether the desk stands in columns. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  );
}
