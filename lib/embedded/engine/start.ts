import "server-only";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { createRecogniser } from "./recogniser";
import { createEngineServer } from "./server";
import { provideTrainedData } from "./tessdata";

const MAX_WORKERS = 2;

/** `port` 0 or none: any free one. `workers`: pages read at a time, by default two, or one on a single core. */
export type EngineOptions = { dataDir: string; port?: number; workers?: number };

/** `url` is the server's root without a slash at the end; the chat endpoint is `<url>/v1/chat/completions`. */
export type RunningEngine = { url: string; stop(): Promise<void> };

/**
 * Starts the embedded OCR engine (Tesseract 5 on CPU) on 127.0.0.1. It speaks OpenAI chat completions as vLLM does for
 * LightOnOCR-3. Quick: the reading threads start with the first page. Trained data is kept in `<dataDir>/tessdata`.
 * @throws when the port is taken, the data folder cannot be written or a language package is missing.
 */
export async function startEmbeddedEngine(options: EngineOptions): Promise<RunningEngine> {
  const tessdata = await provideTrainedData(options.dataDir);
  const recogniser = createRecogniser({ tessdata, workers: options.workers ?? Math.min(MAX_WORKERS, availableParallelism()) });
  const server = createEngineServer(recogniser);
  server.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await recogniser.close();
      await closed;
    },
  };
}
