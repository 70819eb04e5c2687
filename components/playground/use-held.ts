"use client";

import { useEffect } from "react";
import { useRead } from "@/lib/client/hooks";
import { forgetOnLeave } from "@/lib/client/upload";

const ASK_MS = 20_000;

/** Keeps a document that is only in memory for as long as this tab shows it, and has it forgotten when the tab closes. False once it is gone. */
export function useHeld(document: { id: string; isHeld: boolean } | undefined): boolean {
  const id = document?.isHeld ? document.id : null;
  const held = useRead("documents.hold", { id: id ?? "" }, { enabled: id !== null, refetchInterval: ASK_MS });
  useEffect(() => (id === null ? undefined : forgetOnLeave(id)), [id]);
  return id === null || held.data?.isThere !== false;
}
