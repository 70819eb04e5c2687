"use client";

import { useEffect, useState } from "react";
import type { Input, Output } from "@/lib/client/api";
import { useRead } from "@/lib/client/hooks";

export type PreviewInput = Input<"deployments.preview">;
export type PreviewAnswer = Output<"deployments.preview">;
type TakeOver = NonNullable<PreviewInput["takeOver"]>[number];

/** The cluster is asked when the typing has paused for this long. */
const PAUSE_MS = 250;

/** What the server says that a draft would do, with the choices that the preview itself asks for. `wanted` null: nothing to ask yet. */
export function usePreview(wanted: PreviewInput | null) {
  const [takeOver, setTakeOver] = useState<TakeOver[]>([]);
  const [deleteClaims, setDeleteClaims] = useState(false);
  const asked = usePaused(wanted);
  const input = { ...(asked ?? { environmentId: "", deploymentId: "" }), takeOver, deleteClaims };
  const query = useRead("deployments.preview", input, { enabled: asked !== null, keepPrevious: true });
  const isSettled = asked !== null && JSON.stringify(asked) === JSON.stringify(wanted) && !query.isPlaceholderData;
  const isSame = (one: TakeOver) => (each: TakeOver) => each.key === one.key && each.manager === one.manager;
  return {
    answer: wanted === null ? undefined : query.data,
    error: query.error,
    /** The answer is about the draft as it stands now. */
    isSettled: isSettled || query.error !== null,
    again: () => void query.refetch(),
    isTakenOver: (one: TakeOver) => takeOver.some(isSame(one)),
    setTakenOver: (one: TakeOver, isTaken: boolean) => setTakeOver((all) => [...all.filter((each) => !isSame(one)(each)), ...(isTaken ? [one] : [])]),
    deleteClaims,
    setDeleteClaims,
  };
}
export type Preview = ReturnType<typeof usePreview>;

/** The value once it has stood still for a moment; the first one at once. */
function usePaused(value: PreviewInput | null): PreviewInput | null {
  const text = JSON.stringify(value);
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(paused) as PreviewInput | null; // written by stringify above
}
