import "server-only";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createClock } from "../clock";
import { startSandboxCluster, type SandboxCluster } from "../start";
import { TestClient } from "./client";

export type TestSandbox = SandboxCluster & { client: TestClient; dataDir: string; remove(): Promise<void> };

export function makeDataDir(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-cluster-"));
}

/** A sandbox in a folder of its own, on a clock so fast that a rollout takes milliseconds. */
export async function startTestSandbox({
  speed = 1000,
  engineUrl = "http://127.0.0.1:1",
  dataDir = makeDataDir(),
} = {}): Promise<TestSandbox> {
  const cluster = await startSandboxCluster({ dataDir, engineUrl, clock: createClock(speed) });
  const remove = async (): Promise<void> => {
    await cluster.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...cluster, client: new TestClient(cluster.kubeconfig), dataDir, remove };
}

/** A small HTTP server that stands for the engine; it must be closed. */
export async function startEngine(handler: http.RequestListener): Promise<{ url: string; close(): void }> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
