/**
 * The real batch worker and the gateway in a process of their own, so that it can be killed. Forked by scripts/prove-kills.ts and scripts/bench-batch.ts;
 * imports first, tells "warm", starts when it is told the gateway's port, and tells "ready".
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
type Options = { databaseUrl: string; slots: number };

export type WorkerProcess = { child: ChildProcess; start(port: number): Promise<void>; kill(): Promise<void> };

/** A process that has its code loaded and waits. */
export async function warmWorkerProcess({ databaseUrl, slots }: Options): Promise<WorkerProcess> {
  const child = fork(self, ["worker"], { execArgv: ["--conditions=react-server", "--import", "tsx"], env: { ...process.env, DATABASE_URL: databaseUrl, WORKER_SLOTS: String(slots) } });
  await once(child, "message");
  return {
    child,
    async start(port) {
      child.send(port);
      await once(child, "message");
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function work(): Promise<void> {
  const { connect } = await import("@/lib/platform/db");
  const { env } = await import("@/lib/platform/env");
  const { defaultGatewayLimits } = await import("@/lib/domain/rate-limit");
  const { startBatchWorker } = await import("@/lib/services/batch-worker");
  const { createGateway } = await import("@/lib/services/gateway");
  const { answerChat } = await import("@/lib/services/gateway-chat");
  const { serveRoute } = await import("./serve-route");
  const slots = Number(process.env.WORKER_SLOTS);
  const pages = { ofToken: 1e9, ofPerson: 1e9, ofEnvironment: 1e9 };
  process.on("message", (port: number) => {
    const db = connect(env().DATABASE_URL);
    const gateway = createGateway(db, { limits: { ...defaultGatewayLimits, pagesPerMinute: pages } });
    startBatchWorker(db, env().DATABASE_URL, { slots: { cpu: slots, gpu: slots } });
    void serveRoute((request) => answerChat(gateway, request), port).then(() => process.send?.("ready"));
  });
  process.send?.("warm");
}

if (process.argv[2] === "worker" && process.argv[1] === self) await work();
