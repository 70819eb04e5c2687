import "server-only";
import { setTimeout } from "node:timers/promises";
import type { Caller } from "@/lib/domain/caller";
import { EngineError } from "@/lib/domain/engine-failure";
import { DomainError } from "@/lib/domain/errors";
import { log } from "@/lib/platform/log";
import { forgetWay, type Engine } from "./engines";
import type { Gateway } from "./gateway";
import { offersNamed, type Offer } from "./gateway-engines";
import { requestWake } from "./wakes";

const STARTING_RETRY_SECONDS = 15;
const LOOK_MS = 500;

/** An engine that has room for a page, and how that room is given back. */
export type Place = { offer: Offer; engine: Engine; release(): void };

type Asker = { caller: Caller; signal: AbortSignal };

/**
 * The ready offers for a model name. A deployment that its hours or idleness stopped is woken, once for all who ask, and a bounded number of them
 * wait for it a while. Throws `rate_limited` beyond that number, `unavailable` when it takes longer or may not be woken; both say when to come back.
 */
export async function readyOffers(gateway: Gateway, { caller, signal }: Asker, model: string): Promise<Offer[]> {
  const now = await lookFor(gateway, caller, model);
  if (now.ready.length > 0) return now.ready;
  const { line } = now;
  await wake(gateway, caller, line);
  const leave = standInLine(gateway, line);
  try {
    const until = Date.now() + gateway.wakeWaitMs;
    while (Date.now() < until) {
      await setTimeout(LOOK_MS, undefined, { signal });
      const { ready } = await lookFor(gateway, caller, model);
      if (ready.length > 0) return ready;
    }
  } finally {
    leave();
  }
  throw new DomainError("unavailable", `The deployment ${line.name} is starting. Try again in ${STARTING_RETRY_SECONDS} s; loading a model takes minutes.`, { retryAfterSeconds: STARTING_RETRY_SECONDS });
}

/** What is ready under that name, and the one that would be waited for. */
async function lookFor(gateway: Gateway, { actor }: Caller, model: string): Promise<{ ready: Offer[]; line: Offer }> {
  const named = offersNamed(await gateway.offers(actor), model);
  const line = named.find(({ state }) => state === "working") ?? named[0];
  if (!line) throw new DomainError("unavailable", "No engine of that name is ready.", { retryAfterSeconds: STARTING_RETRY_SECONDS });
  return { ready: named.filter(({ state }) => state === "ready"), line };
}

/** Asks for the waking that everybody shares. A person's stop stays. */
async function wake(gateway: Gateway, { actor }: Caller, offer: Offer): Promise<void> {
  const { deploymentId, state } = offer;
  if (state !== "stopped" || !deploymentId) return;
  await gateway.once(`wake:${deploymentId}`, () => requestWake(gateway.db, { deploymentId, userId: actor.userId, now: new Date() })).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "unprocessable") throw new DomainError("unavailable", error.message, { retryAfterSeconds: 60, cause: error });
    throw error;
  });
}

function standInLine({ waking, mostWaking }: Gateway, { key, name }: Offer): () => void {
  const before = waking.get(key) ?? 0;
  if (before >= mostWaking) throw new DomainError("rate_limited", `${before} requests wait for ${name} to wake: the queue is full. Try again in ${STARTING_RETRY_SECONDS} s.`, { retryAfterSeconds: STARTING_RETRY_SECONDS });
  waking.set(key, before + 1);
  return () => {
    const left = (waking.get(key) ?? 1) - 1;
    if (left === 0) waking.delete(key);
    else waking.set(key, left);
  };
}

/** Takes room at the engine with the least to do; engines that have just failed to answer come last. */
export async function takePlace(gateway: Gateway, offers: readonly Offer[], signal: AbortSignal): Promise<Place> {
  const [offer] = [...offers].sort((a, b) => weight(gateway, a) - weight(gateway, b));
  if (!offer) throw new DomainError("unavailable", "No engine of that name answers. Look at its deployment, or try again.", { retryAfterSeconds: 5 });
  const release = await gateway.slots.take(offer.key, offer.room, signal);
  gateway.served.set(offer.key, (gateway.served.get(offer.key) ?? 0) + 1);
  try {
    return { offer, engine: await gateway.shelf.get(gateway.db, offer.deploymentId), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Pages under way count first, then those served so far: equal engines take turns. */
function weight({ slots, served, down }: Gateway, { key, room }: Offer): number {
  const isDown = (down.get(key) ?? 0) > Date.now();
  return (isDown ? 1e12 : 0) + Math.floor((slots.load(key) / room.running) * 1e6) * 1e3 + Math.min(999, (served.get(key) ?? 0) % 1000);
}

const DOWN_MS = 5_000;

/**
 * Runs `work` at one engine after the other until one begins to answer: an engine that cannot be reached, or says that it is too busy,
 * costs no request while another of the same name is there. `work` must not have passed anything on when it throws.
 */
export async function atSomeEngine<T>(gateway: Gateway, offers: readonly Offer[], { signal, work }: { signal: AbortSignal; work(place: Place): Promise<T> }): Promise<T> {
  let left = offers;
  for (;;) {
    const place = await takePlace(gateway, left, signal);
    try {
      return await work(place);
    } catch (error) {
      place.release();
      const isElsewhere = error instanceof DomainError && (error.code === "unavailable" || error.code === "upstream_failed" || error.code === "rate_limited");
      if (signal.aborted || !isElsewhere) throw error;
      if (error.code !== "rate_limited") leaveAlone(gateway, place.offer);
      left = left.filter((offer) => offer !== place.offer);
      if (left.length === 0) throw error instanceof EngineError ? error : unreachable(error);
      log().warn({ deploymentId: place.offer.deploymentId, code: error.code }, "gateway: engine did not answer, trying the next");
    }
  }
}

/** The engine's address stays inside. */
function unreachable(cause: DomainError): DomainError {
  if (cause.code === "rate_limited") return cause;
  return new DomainError("unavailable", "The engine does not answer. Look at its deployment, or try again in a moment.", { retryAfterSeconds: cause.retryAfterSeconds ?? DOWN_MS / 1000, cause });
}

function leaveAlone({ down, shelf }: Gateway, offer: Offer): void {
  down.set(offer.key, Date.now() + DOWN_MS);
  shelf.drop(offer.deploymentId);
  forgetWay(offer.deploymentId);
}
