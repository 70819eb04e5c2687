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
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["{app,lib,scripts,e2e}/**/*.test.ts"],
          globalSetup: "./scripts/test/global-setup.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: { name: "dom", environment: "jsdom", include: ["components/**/*.test.tsx"] },
      },
    ],
  },
});
