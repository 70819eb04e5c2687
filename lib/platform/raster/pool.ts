import "server-only";
import os from "node:os";
import type { WorkerAnswer, WorkerTask } from "./protocol";
import { startWorkerProcess, type DocumentBytes, type Guard, type WorkerEnd, type WorkerProcess } from "./worker-process";

/** A document that workers can be given; its bytes are asked for whenever a worker does not hold it. */
export type RasterSource = { id: string; bytes(): Promise<DocumentBytes> };

export type Job = { source: RasterSource; task: WorkerTask; guard: Guard };

type QueuedJob = Job & { resolve(outcome: WorkerAnswer | WorkerEnd): void; reject(error: unknown): void };

export type Pool = {
  run(job: Job): Promise<WorkerAnswer | WorkerEnd>;
  /** Ends the workers that hold a document; a page of it that is being drawn fails. */
  forget(documentId: string): void;
  close(): void;
  /** Most resident bytes that a worker was seen to have, since the last time it was asked. */
  takePeakBytes(): number;
};

const maxDocumentsPerWorker = 200;
const idleMs = 30_000;
/** WebAssembly memory never shrinks: a worker that a document has made this large is not given another one. */
const swollenBytes = 384 * 1024 * 1024;

/** Workers for up to two cores with a queue in front; a page of a document prefers the worker that has it open. */
export function createPool(size = Math.min(2, os.availableParallelism())): Pool {
  const queue: QueuedJob[] = [];
  const shelf = createShelf(idleMs);
  const busy = new Map<QueuedJob, WorkerProcess | null>();
  let peakBytes = 0;

  function next() {
    while (busy.size < size) {
      const job = queue.shift();
      if (!job) return;
      const isFull = busy.size + shelf.count() >= size;
      const worker = shelf.take(job.source.id, isFull) ?? null;
      busy.set(job, worker);
      void work(job, worker).then(job.resolve, job.reject).finally(next);
    }
  }

  async function work(job: QueuedJob, held: WorkerProcess | null) {
    let worker = held;
    try {
      worker ??= await startWorkerProcess();
      if (!busy.has(job)) throw new Error("The rasteriser was closed."); // while the worker was starting
      busy.set(job, worker);
      const outcome = await ask(worker, job);
      peakBytes = Math.max(peakBytes, worker.peakBytes());
      const isUsable = !("ended" in outcome) && (outcome.ok || !outcome.isPoisoned) && worker.documentsOpened < maxDocumentsPerWorker;
      if (isUsable && busy.has(job)) shelf.put(worker);
      else worker.kill();
      return outcome;
    } catch (error) {
      worker?.kill();
      throw error;
    } finally {
      busy.delete(job);
    }
  }

  return {
    run(job) {
      const { signal } = job.guard;
      const drop = () => dropWaiting(queue, job);
      signal?.addEventListener("abort", drop, { once: true });
      return new Promise<WorkerAnswer | WorkerEnd>((resolve, reject) => {
        queue.push({ ...job, resolve, reject });
        next();
      }).finally(() => signal?.removeEventListener("abort", drop));
    },
    forget(documentId) {
      shelf.clear(documentId);
      for (const worker of busy.values()) if (worker?.documentId === documentId) worker.kill();
    },
    close() {
      shelf.clear();
      for (const worker of busy.values()) worker?.kill();
      busy.clear();
    },
    takePeakBytes: () => {
      const peak = peakBytes;
      peakBytes = 0;
      return peak;
    },
  };
}

/** Idle workers. One that is not wanted for a while ends: it would keep its document, and WebAssembly memory that never shrinks. */
function createShelf(maxIdleMs: number) {
  const timers = new Map<WorkerProcess, NodeJS.Timeout>();

  function remove(worker: WorkerProcess) {
    clearTimeout(timers.get(worker));
    timers.delete(worker);
    return worker;
  }

  return {
    count: () => timers.size,
    put(worker: WorkerProcess) {
      timers.set(worker, setTimeout(() => remove(worker).kill(), maxIdleMs).unref());
    },
    /** The worker that has the document open; else, when no more may be started, the one that waited longest. */
    take(documentId: string, isFull: boolean) {
      for (const worker of [...timers.keys()]) if (!worker.isAlive()) remove(worker);
      const workers = [...timers.keys()];
      const held = workers.find((worker) => worker.documentId === documentId);
      if (held) return remove(held);
      const [longest] = isFull ? workers : [];
      if (!longest || remove(longest).peakBytes() < swollenBytes) return longest;
      longest.kill();
      return undefined;
    },
    /** Ends all idle workers, or those that hold one document. */
    clear(documentId?: string) {
      for (const worker of [...timers.keys()]) if (!documentId || worker.documentId === documentId) remove(worker).kill();
    },
  };
}

function dropWaiting(queue: QueuedJob[], job: Job) {
  const at = queue.findIndex((waiting) => waiting.task === job.task);
  const [waiting] = at < 0 ? [] : queue.splice(at, 1);
  waiting?.resolve({ ended: "aborted" });
}

async function ask(worker: WorkerProcess, { source, task, guard }: Job): Promise<WorkerAnswer | WorkerEnd> {
  if (guard.signal?.aborted) return { ended: "aborted" };
  if (worker.documentId === source.id) return worker.ask({ ...task, documentId: source.id }, guard);
  const bytes = await source.bytes();
  if (bytes.byteLength === 0) return { ok: false, reason: "empty", isPoisoned: false };
  if (bytes.byteLength > task.limits.maxBytes) return { ok: false, reason: "too_large", isPoisoned: false };
  worker.documentId = source.id;
  worker.documentsOpened += 1;
  const outcome = await worker.ask({ ...task, documentId: source.id, byteLength: bytes.byteLength }, guard, bytes);
  if (!("ended" in outcome) && !outcome.ok) worker.documentId = null;
  return outcome;
}
