"use client";

import { useSyncExternalStore } from "react";
import { formatClock, formatDateTime, formatRelative } from "./format";

export type Instant = Date | string | number;

const tickMs = 10_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const currentTick = () => Math.ceil(Date.now() / tickMs) * tickMs;

/** Milliseconds since the epoch, renewed every ten seconds; one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentTick, currentTick);
}

const never = () => () => {};

/** The server knows no one's time zone: it writes UTC, and the browser replaces it by the local time once it has taken over. */
function useTimeZone(): string | undefined {
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isBrowser ? undefined : "UTC";
}

export type TimeProps = { at: Instant; className?: string };

/** "3 min ago", with the exact time and its zone on hover. */
export function RelativeTime({ at, className }: TimeProps) {
  const now = useNow();
  const timeZone = useTimeZone();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatDateTime(date, timeZone)} className={className} suppressHydrationWarning>
      {formatRelative(date, now)}
    </time>
  );
}

/** "14:02" today, "28 Nov 14:02" before; with the zone on hover. */
export function ClockTime({ at, className }: TimeProps) {
  const now = useNow();
  const timeZone = useTimeZone();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatDateTime(date, timeZone)} className={className} suppressHydrationWarning>
      {formatClock(date, now, timeZone)}
    </time>
  );
}

/** The whole of it: "28 Nov 2026, 14:02:11 CET". */
export function ExactTime({ at, className }: TimeProps) {
  const timeZone = useTimeZone();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} className={className}>
      {formatDateTime(date, timeZone)}
    </time>
  );
}
