"use client";

import { useSyncExternalStore } from "react";
import { Notice } from "@/components/ui/notice";

const never = () => () => {};

/** Over plain http beyond this machine the browser drops the session cookie, and signing in would lead back here without a word. */
export function InsecureNotice() {
  const isInsecure = useSyncExternalStore(
    never,
    () => !window.isSecureContext,
    () => false,
  );
  if (!isInsecure) return null;
  return (
    <Notice tone="warning" title="This connection is not encrypted, so the browser refuses to stay signed in.">
      Open Lectern over https, or on the machine itself at its localhost address.
    </Notice>
  );
}
