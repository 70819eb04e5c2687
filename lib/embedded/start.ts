import "server-only";
import path from "node:path";
import { startSandboxCluster, type SandboxCluster } from "./cluster/start";
import { startEmbeddedEngine } from "./engine/start";

/** Addresses of what stands in when nothing is configured; they are stored exactly as configured ones. */
export type Embedded = { engineUrl: string; kubeconfig: string; sandboxUrl: string; faults: SandboxCluster["faults"]; stop(): Promise<void> };
type Options = { dataDir: string; sandboxPort?: number };

/** Starts the embedded engine alone: another cluster takes the sandbox's place. */
export async function startEmbeddedEngineOnly({ dataDir }: Options): Promise<{ engineUrl: string; kubeconfig: null; stop(): Promise<void> }> {
  const engine = await startEmbeddedEngine({ dataDir: path.join(dataDir, "engine") });
  return { engineUrl: engine.url, kubeconfig: null, stop: () => engine.stop() };
}

/** Starts the embedded engine and the sandbox cluster on loopback. */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const engine = await startEmbeddedEngine({ dataDir: path.join(options.dataDir, "engine") });
  const cluster = await startSandboxCluster({
    dataDir: path.join(options.dataDir, "sandbox"),
    engineUrl: engine.url,
    ...(options.sandboxPort ? { port: options.sandboxPort } : {}),
  });
  return {
    engineUrl: engine.url,
    kubeconfig: cluster.kubeconfig,
    sandboxUrl: cluster.url,
    faults: cluster.faults,
    stop: async () => {
      await cluster.stop();
      await engine.stop();
    },
  };
}
