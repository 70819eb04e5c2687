import { z } from "zod";

const most = (least: number) => z.int().min(least).max(10_000_000);

/** How much one caller may ask of the gateway in one process; a page is one unit, whichever way it comes. */
export const GatewayLimits = z.strictObject({
  pagesPerMinute: z.strictObject({ ofToken: most(1), ofPerson: most(1), ofEnvironment: most(1) }),
  /** Requests with a token that is not valid, by client address. */
  refusedPerMinute: most(5),
  /** Requests that one token or person may have under way, waiting ones included. */
  parallel: most(1),
});
export type GatewayLimits = z.infer<typeof GatewayLimits>;

/** How much of batches may be open at once, working and held ones together. */
export const BatchQuotas = z.strictObject({ batchesOfPerson: most(1), pagesOfPerson: most(1), pagesOfEnvironment: most(1) });
export type BatchQuotas = z.infer<typeof BatchQuotas>;

export const defaultBatchQuotas: BatchQuotas = { batchesOfPerson: 20, pagesOfPerson: 100_000, pagesOfEnvironment: 250_000 };

// 100 pages a second is what twenty of the fastest single-GPU engines read (lightonocr-3: 4.8 pages/s each).
export const defaultGatewayLimits: GatewayLimits = {
  pagesPerMinute: { ofToken: 6_000, ofPerson: 6_000, ofEnvironment: 12_000 },
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
