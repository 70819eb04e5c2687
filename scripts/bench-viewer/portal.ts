import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}

/** The built portal on the bench's own database and documents; what it is given in the environment holds for it too. */
export async function servePortal(databaseUrl: string, dataDir: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const port = await freePort();
  const env = { ...process.env, NODE_ENV: "production" as const, PORT: String(port), NEXTAUTH_URL: `http://localhost:${port}`, DATABASE_URL: databaseUrl, LECTERN_DATA_DIR: dataDir, LECTERN_EMBEDDED: "off", LECTERN_LOG_LEVEL: "warn" };
  const portal = spawn(process.execPath, ["--import", "tsx", "scripts/serve.ts"], { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = once(portal, "exit");
  await new Promise<void>((resolve, reject) => {
    portal.stdout.on("data", (chunk: Buffer) => chunk.toString().includes("Lectern is ready") && resolve());
    ended.then(([code]) => reject(new Error(`The portal ended with ${code ?? "a signal"} before it was ready.`)));
  });
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      portal.kill("SIGTERM");
      await ended;
    },
  };
}
