import "server-only";
import { DomainError } from "@/lib/domain/errors";
import { readingOf, type EngineReading } from "@/lib/domain/idle-metrics";
import type { Db } from "@/lib/platform/db";
import { readText } from "@/lib/platform/send-body";
import { engineOf } from "./engines";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** Asks the engine of a ready deployment for its metrics, the way that its pages take; null when it has none to show. */
async function askEngine(db: Db, deploymentId: string): Promise<EngineReading | null> {
  try {
    const { send } = await engineOf(db, deploymentId);
    const response = await send({ method: "GET", path: "/metrics", timeoutMs: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await readText(response, MAX_BYTES);
    return response.status === 200 ? readingOf(text) : null;
  } catch (error) {
    if (error instanceof DomainError || (error instanceof Error && error.name === "TimeoutError")) return null;
    throw error;
  }
}

/**
 * Writes down what the engine says of its work. A counter that moved since the last reading, up or (after a restart) down, means that
 * somebody used it meanwhile. Returns whether the engine could be read.
 */
export async function recordEngineUse(db: Db, deploymentId: string, now: Date): Promise<boolean> {
  const reading = await askEngine(db, deploymentId);
  if (!reading) return false;
  const before = await db.engineUse.findUnique({ where: { deploymentId } });
  const isBusy = !before || before.requests !== reading.requests || reading.running + reading.waiting > 0;
  const data = { ...reading, at: now, busyAt: isBusy ? now : before.busyAt };
  await db.engineUse.upsert({ where: { deploymentId }, create: { deploymentId, ...data }, update: data });
  return true;
}
