import "server-only";
import { lookup } from "node:dns/promises";
import { listModels } from "./engine";
import { createSend } from "./send";
import type { Send } from "./transport";

/** How an engine is reached: the embedded one on loopback, a Service by its own address, or through the cluster's API server. */
export type EngineRoute = "embedded" | "direct" | "proxy";

/** A Service as its cluster's API tells it, and the name under which its engine serves the model. */
export type DirectTarget = { service: string; namespace: string; port: number; clusterIp: string; servedName: string };

type Probe = { resolve(host: string, signal: AbortSignal): Promise<string[]>; sendTo(origin: string): Send; timeoutMs: number };

/** Ranges that a cluster's network uses: private, shared and unique local addresses. */
const clusterRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];

const probe: Probe = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  sendTo: (origin) => createSend({ origin, allowLoopback: false, allowHttp: true, allowPrivate: clusterRanges }),
  timeoutMs: 1_500,
};

/**
 * The way straight to a Service, when this process stands in the same cluster's network; else null, within `timeoutMs`. A name alone
 * could be another cluster's: it must resolve to the very address that the linked cluster gave the Service, and serve the model.
 */
export async function probeDirect(target: DirectTarget, { resolve, sendTo, timeoutMs }: Probe = probe): Promise<Send | null> {
  const host = `${target.service}.${target.namespace}.svc`;
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })); // a timeout's reason is an Error
  late.catch(() => undefined);
  try {
    const addresses = await Promise.race([resolve(host, signal), late]);
    if (!addresses.includes(target.clusterIp)) return null;
    const send = sendTo(`http://${host}:${target.port}`);
    const models = await Promise.race([listModels(send, signal), late]);
    return models.some(({ id }) => id === target.servedName) ? send : null;
  } catch {
    return null;
  }
}
