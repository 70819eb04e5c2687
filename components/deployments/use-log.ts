"use client";

import { useEffect, useState } from "react";
import { callRead, type ApiError, type Output } from "@/lib/client/api";

type Read = Output<"logs.read">;
export type LogSource = { pod: string; container: string };
export type LogLine = Read["lines"][number];
export type LogChoice = { id: string; sources: LogSource[]; previous: boolean; isFollowing: boolean };
export type LogState = { lines: LogLine[]; note: string; isCut: boolean; error: ApiError | null; isLoading: boolean };

const FIRST_LINES = 20_000;
const MOST_LINES = 100_000;
const EVERY_MS = 2_000;
const nothing: LogState = { lines: [], note: "", isCut: false, error: null, isLoading: true };

/** One container's log: its end at first, then what is added. With a prefix, each line tells whose it is. */
function reader({ id, source: { pod, container }, previous, prefix }: { id: string; source: LogSource; previous: boolean; prefix: string }) {
  const where = { id, pod, ...(container === "" ? {} : { container }) };
  let last: string | undefined;
  return async (signal: AbortSignal): Promise<Omit<Read, "isCut"> & { isCut?: boolean }> => {
    const read = last === undefined ? await callRead("logs.read", { ...where, previous, tailLines: FIRST_LINES }, signal) : await callRead("logs.follow", { ...where, after: last }, signal);
    last = read.lines.at(-1)?.at || last;
    return prefix === "" ? read : { ...read, lines: read.lines.map((line) => ({ ...line, text: `${prefix} ${line.text}` })) };
  };
}

/** Times have nine digits behind the second, so that their texts sort as they do. */
const byTime = (left: LogLine, right: LogLine) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0);

/** The logs of containers, merged by time: their ends at first, then what is added, while they are followed. */
export function useLog({ id, sources, previous, isFollowing }: LogChoice): LogState {
  const key = JSON.stringify([sources, previous]);
  const [held, setHeld] = useState<{ key: string; state: LogState }>({ key, state: nothing });
  const state = held.key === key ? held.state : nothing;
  useEffect(() => {
    const end = new AbortController();
    const [wanted, isPrevious] = JSON.parse(key) as [LogSource[], boolean]; // written above
    const readers = wanted.map((source) => reader({ id, source, previous: isPrevious, prefix: wanted.length > 1 ? `${source.pod.split("-").at(-1)}/${source.container}` : "" }));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const take = async () => {
      const parts = await Promise.all(readers.map((read) => read(end.signal)));
      const fresh = parts.flatMap((part) => part.lines);
      if (wanted.length > 1) fresh.sort(byTime);
      const about = { note: parts.length === 1 ? (parts[0]?.note ?? "") : "", isCut: parts.some((part) => part.isCut === true), error: null, isLoading: false };
      if (isFirst) setHeld({ key, state: { lines: fresh.slice(-MOST_LINES), ...about } });
      else if (fresh.length > 0) setHeld((before) => ({ key, state: { ...before.state, lines: [...before.state.lines, ...fresh].slice(-MOST_LINES) } }));
      isFirst = false;
    };
    const turn = async () => {
      await take().catch((error: ApiError) => !end.signal.aborted && setHeld((before) => ({ key, state: { ...before.state, error, isLoading: false } })));
      if (isFollowing && !isPrevious && !end.signal.aborted) timer = setTimeout(() => void turn(), EVERY_MS);
    };
    if (wanted.length > 0) void turn();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [id, isFollowing, key]);
  return state;
}
