import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { EngineError } from "@/lib/domain/engine-failure";
import { DomainError } from "@/lib/domain/errors";
import { can } from "@/lib/domain/policy";
import { log } from "@/lib/platform/log";
import { deploymentsStart } from "./deployment-running";
import { forgetWay, type Engine } from "./engines";
import type { Gateway } from "./gateway";
import { offersNamed, type Offer } from "./gateway-engines";
import { execute } from "./pipeline";

const STARTING_RETRY_SECONDS = 15;

/** An engine that has room for a page, and how that room is given back. */
export type Place = { offer: Offer; engine: Engine; release(): void };

/** The ready offers for a model name. Starts a stopped deployment when that is all there is and the caller may. Throws `unavailable` meanwhile. */
export async function readyOffers(gateway: Gateway, caller: Caller, model: string): Promise<Offer[]> {
  const named = offersNamed(await gateway.offers(caller.actor), model);
  const ready = named.filter((offer) => offer.state === "ready");
  if (ready.length > 0) return ready;
  const stopped = named.find((offer) => offer.state === "stopped");
  if (stopped) await wake(gateway, caller, stopped);
  throw new DomainError("unavailable", `The deployment ${named[0]?.name ?? model} is starting. Try again in ${STARTING_RETRY_SECONDS} s; loading a model takes minutes.`, { retryAfterSeconds: STARTING_RETRY_SECONDS });
}

async function wake(gateway: Gateway, caller: Caller, offer: Offer): Promise<void> {
  if (!offer.deploymentId || !can(caller.actor, "deployment.stop", offer.environment.id))
    throw new DomainError("unavailable", `The deployment ${offer.name} is stopped, and this token may not start it: its scope needs "Stop and start deployments". Start it, or choose another model.`, { retryAfterSeconds: 60 });
  const id = offer.deploymentId;
  await gateway.once(`wake:${id}`, () => execute(deploymentsStart, { db: gateway.db, caller, input: { id } }));
  gateway.forgetOffers();
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
