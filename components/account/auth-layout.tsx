import type { ReactNode } from "react";
import { Logo } from "@/components/ui/logo";
import { InsecureNotice } from "./insecure-notice";
import { PageSketch } from "./page-sketch";

export type AuthLayoutProps = { title: string; sentence?: ReactNode; footer?: ReactNode; children: ReactNode };

/** Two panes: the form on paper, and beside it a page being read. A phone shows the form alone. */
export function AuthLayout({ title, sentence, footer, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,5fr)_7fr]">
      <main className="flex flex-col px-6 py-6 sm:px-12">
        <Logo />
        <div className="mx-auto my-auto grid w-full max-w-sm gap-7 py-12">
          <header className="grid gap-2">
            <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
            {sentence && <p className="text-muted-foreground">{sentence}</p>}
          </header>
          <InsecureNotice />
          {children}
        </div>
        {footer && <footer className="text-sm text-muted-foreground">{footer}</footer>}
      </main>
      <aside
        aria-label="What Lectern does"
        className="hidden flex-col justify-center gap-10 overflow-hidden border-l bg-muted/60 px-12 py-12 lg:flex"
      >
        <PageSketch />
        <div className="mx-auto grid max-w-lg gap-2 text-center">
          <p className="text-xl font-semibold text-balance">Documents become text on your own GPUs.</p>
          <p className="text-muted-foreground text-balance">
            Deploy LightOnOCR-3 to your cluster, read a page and see where each word came from, and know from how many pages it pays.
          </p>
        </div>
      </aside>
    </div>
  );
}
