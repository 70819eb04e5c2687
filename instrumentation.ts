type Shared = typeof globalThis & { lecternFailed?: (error: unknown) => void };

/** Runs once when the server starts: embedded defaults, first data, background work. */
export async function register(): Promise<void> {
  // The imports stand inside this very condition: the build drops them from the edge bundle only then.
  // eslint-disable-next-line no-restricted-properties -- Next replaces this name at build time
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { env } = await import("./lib/platform/env");
    const { startPortal } = await import("./lib/services/start");
    const { startEmbedded, startEmbeddedEngineOnly } = await import("./lib/embedded/start");
    try {
      const { LECTERN_EMBEDDED, LECTERN_DATA_DIR, LECTERN_KUBECONFIG, LECTERN_SANDBOX_PORT } = env();
      const start = LECTERN_KUBECONFIG ? startEmbeddedEngineOnly : startEmbedded;
      await startPortal(LECTERN_EMBEDDED === "off" ? null : await start({ dataDir: LECTERN_DATA_DIR, sandboxPort: LECTERN_SANDBOX_PORT }));
    } catch (error) {
      (globalThis as Shared).lecternFailed?.(error); // scripts/serve.ts says it and ends
      throw error;
    }
  }
}
