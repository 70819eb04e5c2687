/** Runs once when the server starts: embedded defaults, first data, background work. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return; // eslint-disable-line no-restricted-properties -- Next replaces this name at build time
  const { startPortal } = await import("./lib/start");
  await startPortal();
}
