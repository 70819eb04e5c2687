import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import type { Actor } from "@/lib/domain/policy";
import type { GatewayLimits } from "@/lib/domain/rate-limit";
import { clientAddress } from "@/lib/platform/client-address";
import { db as database, type Db } from "@/lib/platform/db";
import { readBody } from "@/lib/platform/gateway-body";
import { liftPictures, type Lifted } from "@/lib/platform/gateway-lift";
import { createGatewayMeter, type GatewayMeter } from "@/lib/platform/gateway-limits";
import { keepAnswers, shareQuestion } from "@/lib/platform/gateway-share";
import { createSlots, type Slots } from "@/lib/platform/gateway-slots";
import { refuseTokenInUrl } from "@/lib/platform/origin-check";
import { engineOf as engineOfDeployment } from "./engines";
import { createEngineShelf, offersFor, type EngineShelf, type FindEngine, type Offer } from "./gateway-engines";
import { limitsNow } from "./gateway-limits";
import { createUsageCounter, type UsageCounter } from "./gateway-usage";
import { identify } from "./identify";

/** Deployments that came or went are seen after this; whoever asks later than `keptMs` waits for the newest. */
const OFFERS = { freshMs: 1_000, keptMs: 3_000 };

/** Clients wait ten minutes for a page by default; proxies in between often only one. */
const WAKE_WAIT_MS = 50_000;
const MOST_WAKING = 128;
const LIMITS_FRESH_MS = 5_000;
const LIMITS_KEPT_MS = 60_000;

/** What the gateway's requests share in one process. */
export type Gateway = {
  db: Db;
  /** The limits in force; those of a request that has begun stay its own. */
  meter(): Promise<GatewayMeter>;
  slots: Slots;
  shelf: EngineShelf;
  usage: UsageCounter;
  /** Until when an engine that did not answer is left alone, and how many pages each has had, by offer key. */
  down: Map<string, number>;
  served: Map<string, number>;
  /** Requests that wait for a deployment to wake, by offer key; how many at most, and how long. */
  waking: Map<string, number>;
  mostWaking: number;
  wakeWaitMs: number;
  offers(actor: Actor): Promise<Offer[]>;
  forgetOffers(): void;
  /** Whose token the request carries, as the database says after the request has come. Requests of one token that come together share the look. */
  callerOf(request: Request, requestId: string): Promise<Caller>;
  /** Runs `work` unless it is already running under that name; all wait for the one. */
  once(name: string, work: () => Promise<unknown>): Promise<void>;
};

export type GatewayOptions = { limits?: GatewayLimits; engineOf?: FindEngine; wakeWaitMs?: number; mostWaking?: number; /** For how long the limits that were read hold without a look. */ limitsFreshMs?: number };

/** A gateway over that database. Its queues and limits are this object's own: one for each process. */
export function createGateway(db: Db, { limits, engineOf = engineOfDeployment, wakeWaitMs = WAKE_WAIT_MS, mostWaking = MOST_WAKING, limitsFreshMs = LIMITS_FRESH_MS }: GatewayOptions = {}): Gateway {
  const meterOf = createMeters(db, { fixed: limits, freshMs: limitsFreshMs });
  const offers = keepAnswers<Offer[]>(OFFERS);
  const asking = shareQuestion<Caller>();
  const running = new Map<string, Promise<unknown>>();
  return {
    db,
    meter: () => meterOf(),
    slots: createSlots(),
    shelf: createEngineShelf(engineOf),
    usage: createUsageCounter(db),
    down: new Map(),
    served: new Map(),
    waking: new Map(),
    mostWaking,
    wakeWaitMs,
    // Rights decide what is offered; they are read anew for each request.
    offers: (actor) => offers.get(JSON.stringify([actor.isOwner, actor.grants, actor.scope]), () => offersFor(db, actor)),
    forgetOffers: () => offers.clear(),
    async callerOf(request, requestId) {
      const { headers } = request;
      const caller = await asking(headers.get("authorization") ?? "", () => identify(db, { headers, origin: "api", requestId }));
      return { ...caller, requestId, ip: clientAddress(headers), userAgent: headers.get("user-agent") ?? "" };
    },
    async once(name, work) {
      const going = running.get(name) ?? work().finally(() => running.delete(name));
      running.set(name, going);
      await going;
    },
  };
}

/** The meter of the limits that are set now; what was counted so far stays counted as long as they stay the same. */
function createMeters(db: Db, { fixed, freshMs }: { fixed: GatewayLimits | undefined; freshMs: number }): () => Promise<GatewayMeter> {
  const kept = keepAnswers<GatewayLimits>({ freshMs, keptMs: LIMITS_KEPT_MS });
  let [known, meter] = ["", undefined as GatewayMeter | undefined];
  return async () => {
    const limits = fixed ?? (await kept.get("", async () => (await limitsNow(db)).gateway));
    const next = JSON.stringify(limits);
    if (!meter || next !== known) [known, meter] = [next, createGatewayMeter(limits)];
    return meter;
  };
}

let own: Gateway | undefined;

/** The gateway of this process. */
export function gateway(): Gateway {
  return (own ??= createGateway(database()));
}

/** One admitted request: who asks, its JSON, and how its place is given back. */
export type Admitted = { caller: Caller; body: Lifted; leave(): void };

/** Who sends the request. Throws `unauthenticated` without a valid token; cookies are not looked at. */
export async function admitCaller({ meter: meterOf, callerOf }: Gateway, request: Request, requestId: string): Promise<Caller> {
  const meter = await meterOf();
  refuseTokenInUrl(request);
  if (!request.headers.has("authorization")) throw new DomainError("unauthenticated", "Send a Lectern token: Authorization: Bearer lct_… (Settings, Tokens).");
  const address = clientAddress(request.headers);
  await meter.assertWelcome(address);
  try {
    return await callerOf(request, requestId);
  } catch (error) {
    await meter.refused(address);
    throw error;
  }
}

/** Admits a request and reads its body meanwhile. Throws what `admitCaller` and the body do. */
export async function admit(gateway: Gateway, request: Request, { requestId, maxBytes }: { requestId: string; maxBytes: number }): Promise<Admitted> {
  const reading = request.headers.has("authorization") ? readBody(request, maxBytes) : Promise.resolve([]);
  reading.catch(() => undefined); // awaited below, once it is known who asks
  const caller = await admitCaller(gateway, request, requestId);
  const leave = (await gateway.meter()).enter(caller.tokenId ?? caller.actor.userId ?? "");
  try {
    return { caller, body: liftPictures(await reading), leave };
  } catch (error) {
    leave();
    throw error;
  }
}
