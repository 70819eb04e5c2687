/** Runs once when the server starts: embedded defaults, first data, background work. */
export async function register(): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- Next replaces this very name at build time
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { env } = await import("./lib/platform/env");
    const { startPortal } = await import("./lib/services/start");
    const { LECTERN_EMBEDDED, LECTERN_DATA_DIR, LECTERN_SANDBOX_PORT } = env();
    if (LECTERN_EMBEDDED === "off") return startPortal(null);
    const { startEmbedded } = await import("./lib/embedded/start");
    await startPortal(await startEmbedded({ dataDir: LECTERN_DATA_DIR, sandboxPort: LECTERN_SANDBOX_PORT }));
  }
}
