"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

export type CopyButtonProps = {
  /** What lands on the clipboard. */
  text: string;
  /** Says what is copied: "Copy curl command". */
  label?: string;
  /** Show the label as a word beside the icon. */
  showLabel?: boolean;
  className?: string;
};

type Outcome = "idle" | "copied" | "refused";
const words: Record<Outcome, string> = {
  idle: "",
  copied: "Copied",
  refused: "The browser refused the clipboard: select the text and copy it.",
};

export function CopyButton({ text, label = "Copy", showLabel, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timeout = setTimeout(() => setOutcome("idle"), 2_000);
    return () => clearTimeout(timeout);
  }, [outcome]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("refused");
    }
  }

  return (
    <>
      <Button
        variant="ghost"
        size={showLabel ? "sm" : "icon"}
        aria-label={showLabel ? undefined : label}
        title={showLabel ? undefined : label}
        onClick={copy}
        className={className}
      >
        {outcome === "copied" ? <Check aria-hidden className="text-ready" /> : <Copy aria-hidden />}
        {showLabel && label}
      </Button>
      <span role="status" className={outcome === "refused" ? "text-sm text-failed" : "sr-only"}>
        {words[outcome]}
      </span>
    </>
  );
}
