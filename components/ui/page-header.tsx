import type { ReactNode } from "react";

export type PageHeaderProps = {
  title: ReactNode;
  /** The sentence that sums the page up, with its numbers. */
  sentence?: ReactNode;
  /** At most one primary action. */
  action?: ReactNode;
  /** Badges beside the title: environment, sandbox, sample data. */
  badges?: ReactNode;
  /** A link one level up. */
  back?: ReactNode;
};

export function PageHeader({ title, sentence, action, badges, back }: PageHeaderProps) {
  return (
    <header data-slot="page-header" className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-80 gap-1">
        {back && <div className="text-sm text-muted-foreground [&_a]:underline-offset-4 [&_a:hover]:underline">{back}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{title}</h1>
          {badges}
        </div>
        {sentence && <p className="max-w-[80ch] text-muted-foreground">{sentence}</p>}
      </div>
      {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
    </header>
  );
}

/** The column of a page: header, then panels, on one grid. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="mx-auto grid w-full max-w-[1440px] min-w-0 gap-6 px-4 py-6 sm:px-6">{children}</div>;
}
