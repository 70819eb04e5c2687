import "server-only";
import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import type { DocumentReason } from "@/lib/domain/document-failure";
import { spawnWorker, workerLaunch } from "./launch";
import { residentBytes } from "./process-memory";
import type { WorkerAnswer, WorkerRequest } from "./protocol";

/** Why a worker ended without an answer. */
export type WorkerEnd = { ended: Extract<DocumentReason, "page_timeout" | "page_memory" | "page_failed"> | "aborted" };

export type Guard = { timeoutMs: number; maxMemoryGrowthBytes: number; signal: AbortSignal | undefined };

/** A document's content: an array, or pieces that together have `byteLength` bytes. */
export type DocumentBytes = Uint8Array | { byteLength: number; pieces: AsyncIterable<Uint8Array> };

export type WorkerProcess = {
  /** False once it ended, by whatever cause. */
  isAlive(): boolean;
  /** The document that the worker holds. */
  documentId: string | null;
  documentsOpened: number;
  /** One request at a time. Rejects only when `bytes` do; after an `ended` outcome the worker is gone. */
  ask(request: WorkerRequest, guard: Guard, bytes?: DocumentBytes): Promise<WorkerAnswer | WorkerEnd>;
  /** Stops the worker at once, also inside a WebAssembly loop. */
  kill(): void;
  /** Most resident bytes seen while it answered. */
  peakBytes(): number;
};

const memoryPollMs = 50;
/** A parent that ends must not leave a page spinning; where setpriv is missing, nothing else would stop it. */
const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/** Starts a worker in the strongest isolation that the machine has. */
export async function startWorkerProcess(): Promise<WorkerProcess> {
  const child = spawnWorker(await workerLaunch());
  living.add(child);
  child.on("error", () => living.delete(child)); // `ask` sees it too; without a listener it would end this process
  child.on("exit", () => living.delete(child));
  child.stdin?.on("error", () => undefined); // a worker that is killed while a document streams in
  rest(child);

  let peak = 0;
  const kill = () => void child.kill("SIGKILL");
  return {
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    documentId: null,
    documentsOpened: 0,
    kill,
    peakBytes: () => peak,
    ask: async (request, guard, bytes) => {
      const outcome = await askWorker({ child, kill, seen: (now) => (peak = Math.max(peak, now)) }, { request, guard, bytes });
      rest(child);
      return outcome;
    },
  };
}

/** An idle worker does not keep the server alive. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

type Asked = { request: WorkerRequest; guard: Guard; bytes: DocumentBytes | undefined };

function askWorker({ child, kill, seen }: { child: ChildProcess; kill(): void; seen(bytes: number): void }, { request, guard, bytes }: Asked) {
  return new Promise<WorkerAnswer | WorkerEnd>((resolve, reject) => {
    const cleanUp: (() => void)[] = [];
    let isSettled = false;

    function settle(finish: () => void) {
      if (isSettled) return;
      isSettled = true;
      for (const undo of cleanUp) undo();
      finish();
    }
    const answer = (outcome: WorkerAnswer) => settle(() => resolve(outcome));
    const end = (ended: WorkerEnd["ended"]) => settle(() => (kill(), resolve({ ended })));
    function listen<T>(event: string, handler: (value: T) => void) {
      child.on(event, handler);
      cleanUp.push(() => child.off(event, handler));
    }

    child.ref();
    child.channel?.ref();
    listen("message", answer);
    listen("error", () => end("page_failed"));
    listen("exit", () => end("page_failed"));

    const timer = setTimeout(() => end("page_timeout"), guard.timeoutMs);
    cleanUp.push(() => clearTimeout(timer), watchMemory(child, (now, growth) => {
      seen(now);
      if (growth > guard.maxMemoryGrowthBytes) end("page_memory");
    }));

    const abort = () => end("aborted");
    if (guard.signal?.aborted) return abort();
    guard.signal?.addEventListener("abort", abort, { once: true });
    cleanUp.push(() => guard.signal?.removeEventListener("abort", abort));

    if (!child.connected) return end("page_failed");
    child.send(request, () => undefined);
    if (bytes) pour(bytes, child).catch((error: unknown) => settle(() => (kill(), reject(error))));
  });
}

/** Tells the worker's resident bytes, and how much they have grown since the page was begun, until undone. */
function watchMemory(child: ChildProcess, tell: (bytes: number, growth: number) => void): () => void {
  let start: number | undefined;
  const look = async () => {
    const now = child.pid === undefined ? 0 : await residentBytes(child.pid);
    start ??= now;
    tell(now, now - start);
  };
  void look();
  const timer = setInterval(() => void look(), memoryPollMs);
  return () => clearInterval(timer);
}

/** Streams a document in without a second copy of it in this process; a worker that is gone ends it quietly, as its `exit` tells. */
async function pour(bytes: DocumentBytes, { stdin }: ChildProcess): Promise<void> {
  if (!stdin) return;
  if (bytes instanceof Uint8Array) return void stdin.write(bytes);
  let sent = 0;
  for await (const piece of bytes.pieces) {
    if (!stdin.writable) return;
    sent += piece.byteLength;
    if (!stdin.write(piece)) await drained(stdin);
  }
  if (sent !== bytes.byteLength) throw new Error("The document is not as long as it was said to be.");
}

function drained(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stdin.off("drain", done).off("close", done);
      resolve();
    };
    stdin.on("drain", done).on("close", done);
  });
}
