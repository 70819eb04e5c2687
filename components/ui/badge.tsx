import { Beaker, Cpu, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import type { EnvironmentKind } from "@/lib/domain/environment";
import { cn } from "./cn";

const tones = {
  neutral: "border-border bg-muted text-muted-foreground",
  accent: "border-accent/40 bg-accent/8 text-accent",
  ready: "border-ready/40 bg-ready/8 text-ready",
  warning: "border-working/40 bg-warning-wash text-working",
  failed: "border-failed/40 bg-failed/8 text-failed",
};

export type BadgeProps = { tone?: keyof typeof tones; title?: string; className?: string; children: ReactNode };

export function Badge({ tone = "neutral", title, className, children }: BadgeProps) {
  return (
    <span
      data-slot="badge"
      title={title}
      className={cn(
        "inline-flex h-5.5 items-center gap-1 rounded-sm border px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Goes wherever seeded figures show. */
export function SampleBadge() {
  return (
    <Badge tone="warning" title="These figures come with the product; they were not measured here.">
      <Beaker aria-hidden />
      sample data
    </Badge>
  );
}

/** Goes wherever the built-in cluster stands in for a real one. */
export function SandboxBadge() {
  return (
    <Badge title="A Kubernetes API inside this process: no GPU runs and nothing is paid.">
      <FlaskConical aria-hidden />
      sandbox
    </Badge>
  );
}

/** Goes wherever text was read by the built-in engine. */
export function EmbeddedEngineBadge() {
  return (
    <Badge title="Tesseract on this machine's CPU. It shows the way of a document, not the quality of LightOnOCR-3.">
      <Cpu aria-hidden />
      Embedded CPU engine: not LightOnOCR-3
    </Badge>
  );
}

/** Marks a number that was calculated and not logged. */
export function EstimatedBadge() {
  return (
    <Badge className="border-dashed border-input bg-transparent" title="Calculated, not measured; replaced by what is logged.">
      estimated
    </Badge>
  );
}

const environmentColours: Record<EnvironmentKind, string> = {
  production: "border-env-production/45 bg-env-production/8 text-env-production",
  staging: "border-env-staging/45 bg-env-staging/8 text-env-staging",
  development: "border-env-development/45 bg-env-development/8 text-env-development",
  preview: "border-env-preview/45 bg-env-preview/8 text-env-preview",
};

/** The environment's name in the colour of its kind; a shape differs too: production is filled. */
export function EnvironmentBadge({ kind, children }: { kind: EnvironmentKind; children?: ReactNode }) {
  return (
    <Badge className={environmentColours[kind]}>
      <EnvironmentMark kind={kind} />
      {children ?? kind}
    </Badge>
  );
}

const markColours: Record<EnvironmentKind, string> = {
  production: "border-env-production bg-env-production",
  staging: "border-env-staging bg-env-staging/35",
  development: "border-env-development",
  preview: "border-env-preview border-dashed",
};

export function EnvironmentMark({ kind }: { kind: EnvironmentKind }) {
  return <span aria-hidden className={cn("inline-block size-2.5 shrink-0 rounded-[3px] border-[1.5px]", markColours[kind])} />;
}
