/** How much one caller may ask of the gateway in one process; a page is one unit, whichever way it comes. */
export type GatewayLimits = {
  pagesPerMinute: { token: number; user: number; environment: number };
  /** Requests with a token that is not valid, by client address. */
  refusedPerMinute: number;
  /** Requests that one token or person may have under way, waiting ones included. */
  parallel: number;
};

// 100 pages a second is what twenty of the fastest single-GPU engines read (lightonocr-3: 4.8 pages/s each).
export const defaultGatewayLimits: GatewayLimits = {
  pagesPerMinute: { token: 6_000, user: 6_000, environment: 12_000 },
  refusedPerMinute: 60,
  parallel: 512,
};

/** Pages that an engine is given at once, and how many may wait for it in this process before more are refused. */
export type EngineRoom = { running: number; waiting: number };

/** A CPU engine has two threads; vLLM schedules up to 256 sequences and keeps the rest in a queue of its own. */
export const cpuRoom: EngineRoom = { running: 2, waiting: 64 };
export const gpuRoom: EngineRoom = { running: 256, waiting: 256 };

/** Seconds until a place in a full queue is likely free: what waits, at the pace of late. Between 1 and 60. */
export function retryAfter({ room, secondsPerPage }: { room: EngineRoom; secondsPerPage: number }): number {
  return Math.min(60, Math.max(1, Math.ceil((room.waiting * secondsPerPage) / room.running / 4)));
}
