/** Starts the built portal on a fresh data folder for the end-to-end suite, and leaves its owner link in a file. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BASE_URL, DATA_DIR, ENVIRONMENT, KUBECONFIG, OIDC_NAME, OIDC_PORT, OWNER_LINK_FILE, PORT } from "./settings.ts";

rmSync(DATA_DIR, { recursive: true, force: true });
mkdirSync(DATA_DIR, { recursive: true });

const environment = {
  ...ENVIRONMENT,
  NEXTAUTH_URL: BASE_URL,
  OIDC_CLIENT_ID: "lectern",
  OIDC_CLIENT_SECRET: "test-only-secret-of-the-test-provider",
};
const oidc = spawn(process.execPath, ["e2e/oidc-server.mjs"], { stdio: "inherit", env: { ...environment, OIDC_TEST_PORT: String(OIDC_PORT) } });
const portal = spawn(process.execPath, ["--import", "tsx", "scripts/serve.ts"], {
  stdio: ["ignore", "pipe", "inherit"],
  env: {
    ...environment,
    NODE_ENV: "production",
    PORT: String(PORT),
    LECTERN_DATA_DIR: path.resolve(DATA_DIR),
    LECTERN_LOG_LEVEL: "warn",
    ...(KUBECONFIG ? { LECTERN_KUBECONFIG: path.resolve(KUBECONFIG) } : {}),
    OIDC_ISSUER: `http://127.0.0.1:${OIDC_PORT}`,
    OIDC_NAME,
    OIDC_GROUP_GRANTS: JSON.stringify([
      { group: "ocr-viewer", environment: "development", role: "viewer" },
      { group: "ocr-analyst", environment: "development", role: "analyst" },
    ]),
  },
});
portal.stdout.on("data", (chunk: Buffer) => {
  process.stdout.write(chunk);
  const link = /https?:\/\/\S+\/setup#\S+/.exec(chunk.toString())?.[0];
  if (link) writeFileSync(OWNER_LINK_FILE, link);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    oidc.kill(signal);
    portal.kill(signal);
  });
}
portal.on("exit", (code) => {
  oidc.kill("SIGTERM");
  process.exit(code ?? 1);
});
