import "server-only";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { DocumentReason } from "@/lib/domain/document-failure";
import type { WorkerAnswer, WorkerRequest } from "./protocol";

/** Why a worker ended without an answer. */
export type WorkerEnd = { ended: Extract<DocumentReason, "page_timeout" | "page_memory" | "page_failed"> | "aborted" };

export type Guard = { timeoutMs: number; maxMemoryGrowthBytes: number; signal: AbortSignal | undefined };

export type WorkerThread = {
  /** The document that the worker holds. */
  documentId: string | null;
  documentsOpened: number;
  /** One request at a time. Never rejects; after an `ended` outcome the worker is gone. */
  ask(request: WorkerRequest, guard: Guard): Promise<WorkerAnswer | WorkerEnd>;
  /** Stops the worker at once, also inside a WebAssembly loop. */
  kill(): void;
};

// The build has its own place for code, but the worker is started from the source, relative to the folder of the checkout.
const workerFile = () => path.join(process.cwd(), "lib/platform/raster/worker.mjs");
const memoryPollMs = 75;

/** Starts a worker with no environment, no arguments and a bounded heap; what it prints is dropped, as it may quote the document. */
export function startWorkerThread(): WorkerThread {
  const worker = new Worker(/* turbopackIgnore: true */ workerFile(), {
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.on("error", () => undefined); // `ask` sees it too; without a listener here an idle failure would end the process
  worker.unref();

  const kill = () => void worker.terminate();
  const thread: WorkerThread = {
    documentId: null,
    documentsOpened: 0,
    kill,
    ask: (request, guard) => askWorker({ worker, kill }, request, guard),
  };
  return thread;
}

function askWorker({ worker, kill }: { worker: Worker; kill(): void }, request: WorkerRequest, guard: Guard) {
  return new Promise<WorkerAnswer | WorkerEnd>((resolve) => {
    const startBytes = process.memoryUsage.rss();
    const cleanUp: (() => void)[] = [];

    function settle(outcome: WorkerAnswer | WorkerEnd) {
      for (const undo of cleanUp) undo();
      if ("ended" in outcome) kill();
      resolve(outcome);
    }
    function listen<T>(event: string, handler: (value: T) => void) {
      worker.on(event, handler);
      cleanUp.push(() => worker.off(event, handler));
    }

    listen("message", (answer: WorkerAnswer) => settle(answer));
    listen("error", (error: NodeJS.ErrnoException) =>
      settle({ ended: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "page_memory" : "page_failed" }),
    );
    listen("exit", () => settle({ ended: "page_failed" }));

    const timer = setTimeout(() => settle({ ended: "page_timeout" }), guard.timeoutMs);
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - startBytes > guard.maxMemoryGrowthBytes) settle({ ended: "page_memory" });
    }, memoryPollMs);
    cleanUp.push(
      () => clearTimeout(timer),
      () => clearInterval(watch),
    );

    const abort = () => settle({ ended: "aborted" });
    guard.signal?.addEventListener("abort", abort, { once: true });
    cleanUp.push(() => guard.signal?.removeEventListener("abort", abort));

    worker.postMessage(request, request.bytes ? [handOver(request.bytes)] : []);
  });
}

function handOver(bytes: Uint8Array): ArrayBuffer {
  if (!(bytes.buffer instanceof ArrayBuffer)) throw new TypeError("Shared memory cannot be handed to a worker.");
  return bytes.buffer;
}
