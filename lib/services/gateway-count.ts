import "server-only";
import type { StreamFacts, StreamTap } from "@/lib/platform/gateway-stream";
import { log } from "@/lib/platform/log";
import type { Gateway } from "./gateway";
import type { Place } from "./gateway-route";

/** One page at one engine. Its id is the key under which it is counted. */
export type Reading = { id: string; place: Place; userId: string | null; tokenId: string | null; tap: { facts: StreamFacts }; startedAt: number; isOver?: boolean };
/** A page whose answer passes through. */
export type TappedReading = Reading & { tap: StreamTap };

/**
 * Counts a page that was read, or at which the client left while an engine had it; once, whoever calls first. Tokens as the engine last
 * told them, else one for each piece of text that came. A page that could not be counted is logged by its id.
 */
export async function countReading(gateway: Gateway, reading: Reading): Promise<void> {
  if (reading.isOver) return;
  reading.isOver = true;
  const { engine, offer } = reading.place;
  const { promptTokens, completionTokens, pieces } = reading.tap.facts;
  try {
    await gateway.usage.count({
      id: reading.id,
      at: new Date(),
      environmentId: offer.environment.id,
      deploymentId: engine.deploymentId,
      modelId: engine.modelId,
      skuId: engine.skuId,
      feature: "gateway",
      userId: reading.userId,
      tokenId: reading.tokenId,
      promptTokens: promptTokens ?? 0,
      completionTokens: completionTokens ?? pieces,
      seconds: (performance.now() - reading.startedAt) / 1000,
    });
  } catch (error) {
    log().error({ readingId: reading.id, kind: error instanceof Error ? error.name : typeof error }, "gateway: a page was not counted");
    throw error;
  }
}

/** Ends a page that is not counted: the engine refused it or broke off. */
export function dropReading(reading: Reading): void {
  reading.isOver = true;
}
