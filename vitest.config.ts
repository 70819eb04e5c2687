import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = path.dirname(fileURLToPath(import.meta.url));
const alias = { "@": root, "server-only": path.join(root, "scripts/test/empty.ts") };

export default defineConfig({
  resolve: { alias },
  test: {
    maxWorkers: 2,
    projects: [
      {
        // Pure code: files may share a worker's modules, which saves loading them anew for each.
        resolve: { alias },
        test: { name: "domain", environment: "node", include: ["lib/domain/**/*.test.ts"], isolate: false, testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["{app,lib,scripts,e2e}/**/*.test.ts"],
          exclude: ["lib/domain/**", "**/node_modules/**"],
          globalSetup: "./scripts/test/global-setup.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: { name: "dom", environment: "jsdom", include: ["components/**/*.test.tsx"], isolate: false },
      },
    ],
  },
});
