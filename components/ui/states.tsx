"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { CopyButton } from "./copy-button";
import { type Problem, problemOf } from "./problem";

/** One grey shape; give it the height and width of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden data-slot="skeleton" className={cn("block h-4 animate-pulse rounded-md bg-muted", className)} />;
}

export type LoadingProps = { label?: string; className?: string; children: ReactNode };

/** Wraps skeletons: says once what is being loaded, and shows nothing in the first 150 ms. */
export function Loading({ label = "Loading", className, children }: LoadingProps) {
  return (
    <div role="status" aria-busy className={cn("appear-late", className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

export function LoadingTable({ label, rows = 6, columns = 4 }: { label?: string; rows?: number; columns?: number }) {
  return (
    <Loading label={label} className="divide-y divide-border">
      {Array.from({ length: rows + 1 }, (_, row) => (
        <span key={row} className="flex h-9 items-center gap-6 px-4">
          {Array.from({ length: columns }, (_, column) => (
            <span key={column} className="flex-1">
              <Skeleton className={cn(row === 0 ? "h-3 w-16" : column === 0 ? "w-3/4" : "w-1/2")} />
            </span>
          ))}
        </span>
      ))}
    </Loading>
  );
}

export function LoadingText({ label, lines = 4 }: { label?: string; lines?: number }) {
  return (
    <Loading label={label} className="grid gap-2">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={line === lines - 1 ? "w-2/5" : line % 2 ? "w-11/12" : "w-full"} />
      ))}
    </Loading>
  );
}

export function LoadingPanels({ label, count = 3 }: { label?: string; count?: number }) {
  return (
    <Loading label={label} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {Array.from({ length: count }, (_, panel) => (
        <span key={panel} className="grid gap-3 rounded-lg border bg-card p-4">
          <Skeleton className="w-1/3" />
          <Skeleton className="h-7 w-1/2" />
          <Skeleton className="w-full" />
        </span>
      ))}
    </Loading>
  );
}

export type EmptyProps = {
  /** One line: what this is, or why nothing is here. */
  title: string;
  children?: ReactNode;
  /** One action. */
  action?: ReactNode;
  /** One example of what would be here. */
  example?: ReactNode;
  className?: string;
};

export function Empty({ title, children, action, example, className }: EmptyProps) {
  return (
    <div
      data-slot="empty"
      className={cn("grid justify-items-center gap-3 rounded-lg border border-dashed border-input/60 px-6 py-12 text-center", className)}
    >
      <p className="max-w-prose text-lg font-medium text-balance">{title}</p>
      {children && <div className="max-w-prose text-muted-foreground text-balance">{children}</div>}
      {action}
      {example && (
        <div className="mt-2 max-w-full text-sm text-muted-foreground">
          <span className="font-medium">Example: </span>
          {example}
        </div>
      )}
    </div>
  );
}

export type ErrorStateProps = {
  /** A problem, or whatever was thrown. */ problem: Problem | Error;
  onRetry?: () => void;
  isRetrying?: boolean;
  action?: ReactNode;
  className?: string;
};

export function ErrorState({ problem: thrown, onRetry, isRetrying, action, className }: ErrorStateProps) {
  const problem = problemOf(thrown);
  return (
    <div
      role="alert"
      data-slot="error-state"
      className={cn("grid justify-items-start gap-3 rounded-lg border border-failed/45 bg-failed/5 p-5", className)}
    >
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
        {problem.title}
      </p>
      {problem.detail && <p className="max-w-prose break-words text-muted-foreground">{problem.detail}</p>}
      {(onRetry || action) && (
        <div className="flex flex-wrap gap-2">
          {onRetry && (
            <Button onClick={onRetry} pending={isRetrying}>
              {!isRetrying && <RotateCw aria-hidden />}
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
      {problem.requestId && (
        <p className="flex flex-wrap items-center gap-1 text-sm text-muted-foreground">
          Request <code className="font-mono">{problem.requestId}</code>
          <CopyButton text={problem.requestId} label="Copy request id" />
        </p>
      )}
    </div>
  );
}
