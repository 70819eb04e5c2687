import "server-only";
import path from "node:path";
import { startSandboxCluster, type SandboxCluster } from "./cluster/start";
import { startEmbeddedEngine } from "./engine/start";

/** Addresses of what stands in when nothing is configured; they are stored exactly as configured ones. */
export type Embedded = { engineUrl: string; kubeconfig: string; sandboxUrl: string; faults: SandboxCluster["faults"]; stop(): Promise<void> };

/** Starts the embedded engine and the sandbox cluster on loopback. */
export async function startEmbedded(options: { dataDir: string; sandboxPort?: number }): Promise<Embedded> {
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
