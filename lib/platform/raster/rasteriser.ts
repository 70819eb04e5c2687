import "server-only";
import type { DocumentLimits, InspectedDocument } from "@/lib/domain/document";
import { documentError } from "@/lib/domain/document-failure";
import { createPool, type RasterSource } from "./pool";
import type { WorkerAnswer, WorkerTask } from "./protocol";
import type { WorkerEnd } from "./worker-process";

export type { RasterSource } from "./pool";

/** `name` is the given file name: its ending must agree with the content. */
type Call = { name: string; limits: DocumentLimits; signal?: AbortSignal };

/** A page as PNG, RGB, exactly `width` × `height` pixels. `lacksFonts`: it came out white although the PDF says that it holds text. */
export type RenderedPage = { png: Buffer; width: number; height: number; lacksFonts: boolean };

export type Rasteriser = {
  /** Type by content, and the pages with their sizes. Rejects with DocumentError, or the signal's reason. */
  inspect(source: RasterSource, call: Call): Promise<InspectedDocument>;
  /** Draws one page (numbers start at 1) at a size from `renderSize`. Rejects like `inspect`; other pages are not affected. */
  renderPage(source: RasterSource, page: { number: number; width: number; height: number }, call: Call): Promise<RenderedPage>;
  /** Drops a deleted document from memory at once; without this, an idle worker keeps the last one for half a minute. */
  forget(sourceId: string): void;
  /** Stops all workers; running calls fail. */
  close(): void;
  /** Most resident bytes of a worker since this was last asked, for measuring. */
  takePeakBytes(): number;
};

/**
 * Inspects and draws documents in processes of their own (launch.ts): each page has a time and a memory limit, and a worker that breaks
 * one is killed and replaced. Give the same `source.id` for all pages of a document: it is then opened once.
 */
export function createRasteriser(workers?: number): Rasteriser {
  const pool = createPool(workers);

  async function run(source: RasterSource, task: WorkerTask, signal: AbortSignal | undefined) {
    const { limits } = task;
    const timeoutMs = task.kind === "inspect" ? limits.inspectTimeoutMs : limits.pageTimeoutMs;
    signal?.throwIfAborted();
    const outcome = await pool.run({ source, task, guard: { timeoutMs, maxMemoryGrowthBytes: limits.maxMemoryGrowthBytes, signal } });
    return resultOf(outcome, task, signal);
  }

  return {
    async inspect(source, { name, limits, signal }) {
      const { inspected } = await run(source, { kind: "inspect", name, limits }, signal);
      if (!inspected) throw new Error("The rasteriser answered an inspection without pages.");
      return inspected;
    },
    async renderPage(source, { number, width, height }, { name, limits, signal }) {
      const { png, lacksFonts = false } = await run(source, { kind: "render", name, limits, page: number, size: { width, height } }, signal);
      if (!png) throw new Error("The rasteriser answered a page without a picture.");
      return { png: Buffer.from(png.buffer, png.byteOffset, png.byteLength), width, height, lacksFonts };
    },
    forget: (sourceId) => pool.forget(sourceId),
    close: () => pool.close(),
    takePeakBytes: () => pool.takePeakBytes(),
  };
}

function resultOf(outcome: WorkerAnswer | WorkerEnd, { name, limits }: WorkerTask, signal: AbortSignal | undefined) {
  if ("ended" in outcome) {
    if (outcome.ended === "aborted") throw signal?.reason ?? new DOMException("The page was cancelled.", "AbortError");
    throw documentError(outcome.ended, { name, limits });
  }
  if (!outcome.ok) throw documentError(outcome.reason, { name, limits, detected: outcome.detected });
  return outcome;
}

// Kept by module and not on globalThis: the server's bundles each have their own error classes, and a rasteriser throws those of its own.
let own: Rasteriser | undefined;

/** The rasteriser of this process. */
export function rasteriser(): Rasteriser {
  return (own ??= createRasteriser());
}
