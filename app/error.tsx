"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { LogoMark } from "@/components/ui/logo";

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

/** The last resort, for what no part of a page has caught. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 px-6 text-center">
      <LogoMark className="size-10" />
      <h1 className="text-2xl font-semibold tracking-tight">This page could not be shown.</h1>
      <p className="max-w-prose text-muted-foreground">Something failed that should not. Nothing that was saved is lost. Try again; if it stays, tell the owner of the portal the code below.</p>
      {error.digest && <code className="font-mono text-sm text-muted-foreground">{error.digest}</code>}
      <div className="flex gap-2">
        <Button variant="primary" onClick={reset}>Try again</Button>
        <Button asChild>
          <Link href="/">Back to the overview</Link>
        </Button>
      </div>
    </main>
  );
}
