import { cn } from "@/components/ui/cn";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import { sentenceSpans, type SentenceSpan } from "@/lib/domain/cost-sentence";

export type CostSentenceProps = { report: CostReport; className?: string };

const tones: Record<SentenceSpan["tone"], string> = {
  plain: "",
  cheaper: "font-semibold text-ready",
  dearer: "font-semibold text-working",
  quiet: "text-muted-foreground",
};

/** The sentence that sums the month up, from the same numbers as the chart. */
export function CostSentence({ report, className }: CostSentenceProps) {
  return (
    <span className={cn("block max-w-prose text-lg text-pretty", className)}>
      {sentenceSpans(report).map(({ text, tone }, index) => (
        <span key={index} className={tones[tone]}>
          {text}
        </span>
      ))}
    </span>
  );
}
