import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";
import { BASE_URL, KUBECONFIG } from "./e2e/settings";

const chromium = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const isRoot = process.getuid?.() === 0;
const quiet = ["--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 150_000,
  expect: { timeout: 20_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    baseURL: BASE_URL,
    actionTimeout: 20_000,
    trace: "retain-on-failure",
    launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: isRoot ? ["--no-sandbox", ...quiet] : quiet },
  },
  // The journey uses the owner link, so it goes first; a spec that runs alone makes the owner over the API.
  // A real cluster gets the deploy journeys: what needs an engine behind the pods, or the sandbox's faults, stays with the sandbox.
  projects: KUBECONFIG
    ? [{ name: "real cluster", testMatch: "deploy.spec.ts" }]
    : [
        { name: "journey", testMatch: "journey.spec.ts" },
        { name: "portal", testIgnore: "journey.spec.ts" },
      ],
  ...(KUBECONFIG ? { globalSetup: "./e2e/real-cluster-setup.ts", globalTeardown: "./e2e/real-cluster-teardown.ts" } : {}),
  webServer: {
    command: "node --import tsx e2e/server.ts",
    url: `${BASE_URL}/api/ready`,
    reuseExistingServer: false,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
});
