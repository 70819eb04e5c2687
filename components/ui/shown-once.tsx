import { CopyButton } from "./copy-button";
import { Notice } from "./notice";

export type ShownOnceProps = { title: string; /** What is shown now and never again. */ secret: string; label: string; children?: React.ReactNode };

/** A secret at its only appearance, ready to be copied. */
export function ShownOnce({ title, secret, label, children }: ShownOnceProps) {
  return (
    <Notice tone="warning" title={title}>
      <span className="flex items-center gap-2">
        <code aria-label={label} className="min-w-0 flex-1 rounded-md border bg-card px-2 py-1 font-mono text-sm break-all text-foreground select-all">
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy ${label}`} />
      </span>
      {children}
    </Notice>
  );
}
