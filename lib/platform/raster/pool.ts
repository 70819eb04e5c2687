import "server-only";
import os from "node:os";
import type { WorkerAnswer, WorkerTask } from "./protocol";
import { startWorkerThread, type Guard, type WorkerEnd, type WorkerThread } from "./worker-thread";

/** A document that workers can be given. `bytes` must make a fresh array each time: it is moved into the worker, not copied. */
export type RasterSource = { id: string; bytes(): Promise<Uint8Array> };

export type Job = { source: RasterSource; task: WorkerTask; guard: Guard };

type QueuedJob = Job & { isAlone: boolean; resolve(outcome: WorkerAnswer | WorkerEnd): void; reject(error: unknown): void };

export type Pool = {
  run(job: Job): Promise<WorkerAnswer | WorkerEnd>;
  /** Ends the workers that hold a document; a page of it that is being drawn fails. */
  forget(documentId: string): void;
  close(): void;
};

const maxDocumentsPerWorker = 200;
const idleMs = 30_000;

/** Workers for up to two cores with a queue in front; a page of a document prefers the worker that has it open. */
export function createPool(size = Math.min(2, os.availableParallelism())): Pool {
  const queue: QueuedJob[] = [];
  const shelf = createShelf(idleMs);
  const busy = new Map<WorkerThread, QueuedJob>();

  function takeWorker(documentId: string): WorkerThread {
    const isFull = busy.size + shelf.count() >= size;
    return shelf.take(documentId, isFull) ?? startWorkerThread();
  }

  function next() {
    while (busy.size < size && queue.length > 0) {
      const isBlocked = busy.size > 0 && (queue[0]?.isAlone || [...busy.values()].some((job) => job.isAlone));
      const job = isBlocked ? undefined : queue.shift();
      if (!job) return;
      const thread = takeWorker(job.source.id);
      busy.set(thread, job);
      void work(thread, job);
    }
  }

  async function work(thread: WorkerThread, job: QueuedJob) {
    try {
      const outcome = await ask(thread, job);
      const wasAlone = busy.size === 1;
      busy.delete(thread);
      const isUsable = !("ended" in outcome) && (outcome.ok || !outcome.isPoisoned);
      if (isUsable && thread.documentsOpened < maxDocumentsPerWorker) shelf.put(thread);
      else thread.kill();
      // Memory is measured for the process: with company, the other page may have been the one that grew.
      if ("ended" in outcome && outcome.ended === "page_memory" && !wasAlone) queue.unshift({ ...job, isAlone: true });
      else job.resolve(outcome);
    } catch (error) {
      busy.delete(thread);
      thread.kill();
      job.reject(error);
    }
    next();
  }

  return {
    run(job) {
      const { signal } = job.guard;
      const drop = () => dropWaiting(queue, job);
      signal?.addEventListener("abort", drop, { once: true });
      return new Promise<WorkerAnswer | WorkerEnd>((resolve, reject) => {
        queue.push({ ...job, isAlone: false, resolve, reject });
        next();
      }).finally(() => signal?.removeEventListener("abort", drop));
    },
    forget(documentId) {
      shelf.clear(documentId);
      for (const thread of busy.keys()) if (thread.documentId === documentId) thread.kill();
    },
    close() {
      shelf.clear();
      for (const thread of busy.keys()) thread.kill();
    },
  };
}

/** Idle workers. One that is not wanted for a while ends: it would keep its document, and WebAssembly memory that never shrinks. */
function createShelf(maxIdleMs: number) {
  const timers = new Map<WorkerThread, NodeJS.Timeout>();

  function remove(thread: WorkerThread) {
    clearTimeout(timers.get(thread));
    timers.delete(thread);
    return thread;
  }

  return {
    count: () => timers.size,
    put(thread: WorkerThread) {
      timers.set(thread, setTimeout(() => remove(thread).kill(), maxIdleMs).unref());
    },
    /** The worker that has the document open; else, when no more may be started, the one that waited longest. */
    take(documentId: string, isFull: boolean) {
      const threads = [...timers.keys()];
      const held = threads.find((thread) => thread.documentId === documentId) ?? (isFull ? threads[0] : undefined);
      return held && remove(held);
    },
    /** Ends all idle workers, or those that hold one document. */
    clear(documentId?: string) {
      for (const thread of [...timers.keys()]) if (!documentId || thread.documentId === documentId) remove(thread).kill();
    },
  };
}

function dropWaiting(queue: QueuedJob[], job: Job) {
  const at = queue.findIndex((waiting) => waiting.task === job.task);
  const [waiting] = at < 0 ? [] : queue.splice(at, 1);
  waiting?.resolve({ ended: "aborted" });
}

async function ask(thread: WorkerThread, { source, task, guard }: Job): Promise<WorkerAnswer | WorkerEnd> {
  if (guard.signal?.aborted) return { ended: "aborted" };
  if (thread.documentId === source.id) return thread.ask({ ...task, documentId: source.id }, guard);
  const bytes = ownArray(await source.bytes());
  thread.documentId = source.id;
  thread.documentsOpened += 1;
  if (guard.signal?.aborted) return { ended: "aborted" };
  const outcome = await thread.ask({ ...task, documentId: source.id, bytes }, guard);
  if (!("ended" in outcome) && !outcome.ok) thread.documentId = null;
  return outcome;
}

/** Small Buffers are views of a shared pool, which must not be moved away from its other users. */
function ownArray(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}
