import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { SESSION_COOKIE } from "@/lib/domain/session";
import { line, percentile } from "../bench-cost/measure.ts";
import { makeSession } from "../test/principals.ts";
import type { BenchPlace } from "./place.ts";

const TYPED = ["d9", "d99 ", "many", "1b l4", "g6", "d4321"];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}

/** The built portal on the bench's own database. */
async function serve(databaseUrl: string, port: number, dataDir: string): Promise<ChildProcess> {
  const env = { ...process.env, NODE_ENV: "production" as const, PORT: String(port), NEXTAUTH_URL: `http://localhost:${port}`, DATABASE_URL: databaseUrl, LECTERN_DATA_DIR: dataDir, LECTERN_EMBEDDED: "off" };
  const portal = spawn(process.execPath, ["--import", "tsx", "scripts/serve.ts"], { stdio: ["ignore", "pipe", "inherit"], env });
  await new Promise<void>((resolve, reject) => {
    portal.stdout.on("data", (chunk: Buffer) => chunk.toString().includes("Lectern is ready") && resolve());
    portal.once("exit", (code) => reject(new Error(`The portal ended with ${code ?? "a signal"} before it was ready.`)));
  });
  return portal;
}

/** Types into the list's filter in Chromium, letter by letter, and tells of the browser's long tasks (over 50 ms) and of how soon the answer stood there. */
export async function measureFiltering({ db, databaseUrl }: BenchPlace, { personId, count }: { personId: string; count: number }): Promise<void> {
  if (!existsSync(".next/BUILD_ID")) return console.log("no browser was measured: run `npm run build` first");
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "bench-deploy-portal-"));
  const port = await freePort();
  const portal = await serve(databaseUrl, port, dataDir);
  const isRoot = process.getuid?.() === 0;
  const found = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
  const browser = await chromium.launch({ ...(found ? { executablePath: found } : {}), args: isRoot ? ["--no-sandbox", "--disable-gpu"] : [] });
  try {
    const { headers } = await makeSession(db, personId);
    const origin = `http://localhost:${port}`;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: SESSION_COOKIE, value: headers.cookie.slice(SESSION_COOKIE.length + 1), domain: "localhost", path: "/", secure: true, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    await page.goto(`${origin}/deployments`);
    const field = page.getByLabel("Find");
    const rows = page.getByRole("table").getByRole("row");
    await rows.first().waitFor();
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(window, { longTasks: seen });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.push(entry.duration))).observe({ type: "longtask" });
    });
    const answers: number[] = [];
    for (const text of TYPED) {
      await field.fill("");
      const answered = page.waitForResponse((response) => decodeURIComponent(response.url()).includes(`"search":"${text.trim()}"`));
      await field.pressSequentially(text, { delay: 60 });
      const typed = performance.now();
      await (await answered).finished();
      answers.push(performance.now() - typed);
    }
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500))); // the last answer is drawn, and its task told of
    if ((await rows.count()) < 2) throw new Error("The filter found nothing of what is there.");
    const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks); // put there above
    const longest = Math.max(0, ...tasks);
    line(`browser tasks over 50 ms while filtering ${count} deployments (budget 0)`, tasks.length === 0 ? "none" : `${tasks.length}, longest ${longest.toFixed(0)} ms`, 50 / Math.max(50, longest));
    console.log("from the last letter to its answer, median".padEnd(64), `${percentile(answers, 0.5).toFixed(0)} ms`.padStart(22));
  } finally {
    await browser.close();
    portal.kill("SIGTERM");
    await new Promise((resolve) => portal.once("exit", resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}
