import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { line, percentile } from "./measure.ts";

const CHANGES = 80;

/** The chart's own code, built as for production, as one script. */
async function script(): Promise<string> {
  const entry = path.resolve("scripts/bench-cost/chart-page.tsx");
  const result = await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "@": path.resolve(".") } },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, rolldownOptions: { input: entry, output: { format: "iife" } } },
  });
  const [bundle] = Array.isArray(result) ? result : [result];
  const chunk = bundle && "output" in bundle ? bundle.output.find((one) => one.type === "chunk") : undefined;
  if (chunk?.type !== "chunk") throw new Error("the chart was not built");
  return chunk.code;
}

/** From a change of the slider to the frame that shows it, in a real browser. */
export async function measureSlider(): Promise<void> {
  const installed = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ ...(existsSync(installed) ? { executablePath: installed } : {}), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.setContent("<!doctype html><style>.h-80{height:320px}</style><body></body>");
    await page.addScriptTag({ content: await script() });
    await page.waitForSelector("svg.recharts-surface path");
    const times = (await page.evaluate(`measureDrag(${CHANGES})`)) as number[]; // chart-page.tsx returns milliseconds
    const p95 = percentile(times, 0.95);
    line("slider to frame: 4 APIs solved, chart drawn, p95 (budget 50 ms)", `${p95.toFixed(1)} ms`, 50 / p95);
  } finally {
    await browser.close();
  }
}
