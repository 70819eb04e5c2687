import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

const tones = {
  info: { icon: Info, className: "border-accent/40 bg-accent/6", mark: "text-accent" },
  warning: { icon: TriangleAlert, className: "border-working/45 bg-warning-wash", mark: "text-working" },
  failed: { icon: TriangleAlert, className: "border-failed/45 bg-failed/6", mark: "text-failed" },
  ready: { icon: CircleCheck, className: "border-ready/45 bg-ready/6", mark: "text-ready" },
};

export type NoticeProps = { tone?: keyof typeof tones; title: ReactNode; children?: ReactNode; action?: ReactNode; className?: string };

/** One fact that must be seen where it matters. A failure is announced; the rest is read in its place. */
export function Notice({ tone = "info", title, children, action, className }: NoticeProps) {
  const { icon: Icon, className: look, mark } = tones[tone];
  return (
    <div
      role={tone === "failed" ? "alert" : undefined}
      data-slot="notice"
      className={cn("flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border px-4 py-3", look, className)}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", mark)} />
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <p className="font-medium break-words">{title}</p>
        {children && <div className="text-muted-foreground break-words">{children}</div>}
      </div>
      {action}
    </div>
  );
}
