"use client";

import { useEffect, useState } from "react";
import { callRead, type ApiError, type Output } from "@/lib/client/api";

type Line = Output<"logs.read">["lines"][number];
export type LogChoice = { id: string; pod: string; container: string; previous: boolean; isFollowing: boolean };
export type LogState = { lines: Line[]; note: string; isCut: boolean; error: ApiError | null; isLoading: boolean };

const FIRST_LINES = 20_000;
const MOST_LINES = 100_000;
const EVERY_MS = 2_000;
const nothing: LogState = { lines: [], note: "", isCut: false, error: null, isLoading: true };

/** A container's log: its end at first, then what is added, while it is followed. */
export function useLog({ id, pod, container, previous, isFollowing }: LogChoice): LogState {
  const key = `${pod} ${container} ${previous}`;
  const [held, setHeld] = useState<{ key: string; state: LogState }>({ key, state: nothing });
  const state = held.key === key ? held.state : nothing;
  useEffect(() => {
    const end = new AbortController();
    const where = { id, pod, ...(container === "" ? {} : { container }) };
    let last: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = async () => {
      if (last === undefined) {
        const first = await callRead("logs.read", { ...where, previous, tailLines: FIRST_LINES }, end.signal);
        last = first.lines.at(-1)?.at || undefined;
        return setHeld({ key, state: { ...first, error: null, isLoading: false } });
      }
      const { lines } = await callRead("logs.follow", { ...where, after: last }, end.signal);
      last = lines.at(-1)?.at || last;
      if (lines.length > 0) setHeld((before) => ({ key, state: { ...before.state, lines: [...before.state.lines, ...lines].slice(-MOST_LINES) } }));
    };
    const turn = async () => {
      await take().catch((error: ApiError) => !end.signal.aborted && setHeld((before) => ({ key, state: { ...before.state, error, isLoading: false } })));
      if (isFollowing && !previous && !end.signal.aborted) timer = setTimeout(() => void turn(), EVERY_MS);
    };
    void turn();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [id, pod, container, previous, isFollowing, key]);
  return state;
}
