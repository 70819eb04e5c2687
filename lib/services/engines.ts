import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { probeDirect, type EngineRoute } from "@/lib/platform/engine-route";
import type { Kube } from "@/lib/platform/kube";
import { serviceProxySend } from "@/lib/platform/kube/service-proxy";
import { createSend } from "@/lib/platform/send";
import type { Send } from "@/lib/platform/transport";
import { kubeOfEnvironment } from "./clusters";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";

export const EMBEDDED_MODEL = "embedded-tesseract-5";
export const EMBEDDED_ENGINE_SETTING = "engine.embedded";
const ENGINE_PORT = 8000;
const ROUTE_KEPT_MS = 60_000;

/** An engine that a page can be sent to, and what the usage log says of it. */
export type Engine = {
  deploymentId: string | null;
  modelId: string;
  /** The name that the engine serves the model under. */
  servedName: string;
  skuId: string | null;
  hasThinkingSwitch: boolean;
  route: EngineRoute;
  send: Send;
};

const EngineRow = z.strictObject({
  deploymentId: z.uuid().nullable(),
  environmentId: z.uuid().nullable(),
  title: z.string(),
  modelId: z.string(),
  isEmbedded: z.boolean(),
  isSandbox: z.boolean(),
  /** Mean engine seconds of the last pages that it read with each preset; a preset without pages is left out. */
  measured: z.array(z.strictObject({ preset: z.string(), secondsPerPage: z.number(), pages: z.number().int() })),
});

type Measured = { deploymentId: string | null; preset: string; secondsPerPage: number; pages: number };

/** What pages took lately, by engine and preset: the last 100 of each within a week. */
async function measuredSeconds(db: Db): Promise<Measured[]> {
  return db.$queryRaw<Measured[]>`
    SELECT deployment_id AS "deploymentId", preset, avg(seconds)::float8 AS "secondsPerPage", count(*)::int AS pages FROM (
      SELECT run.deployment_id, COALESCE(page.preset, run.preset) AS preset, page.seconds,
             row_number() OVER (PARTITION BY run.deployment_id, COALESCE(page.preset, run.preset) ORDER BY page.ended_at DESC) AS place
      FROM run_page page JOIN run ON run.id = page.run_id
      WHERE page.state = 'done' AND page.seconds IS NOT NULL AND page.ended_at > now() - interval '7 days') AS latest
    WHERE place <= 100 GROUP BY deployment_id, preset`;
}

async function embeddedUrl(db: Db): Promise<string | null> {
  const row = await db.setting.findUnique({ where: { key: EMBEDDED_ENGINE_SETTING } });
  return z.object({ url: z.url() }).safeParse(row?.value).data?.url ?? null;
}

export const enginesList = read({
  name: "engines.list",
  summary: "The engines that can read a page for me: ready deployments, and the embedded one",
  permission: "document.upload",
  environment: "each",
  input: z.strictObject({}),
  output: z.strictObject({ engines: z.array(EngineRow) }),
  run: async ({ caller, db }) => {
    const rows = await db.deployment.findMany({
      // What hours or idleness stopped is woken by its first page: see wakes.ts.
      where: { ...inEnvironmentsWith(caller.actor, "document.upload"), deletedAt: null, OR: [{ state: "ready" }, { state: "stopped", sleeps: { some: { endedAt: null, cause: { not: "person" } } } }, { wakes: { some: { state: "waking" } } }] },
      include: { environment: { select: { name: true, cluster: { select: { kind: true } } } } },
      orderBy: { createdAt: "desc" },
    });
    const all = await measuredSeconds(db);
    const measuredBy = (id: string | null) => all.filter((each) => each.deploymentId === id).map(({ preset, secondsPerPage, pages }) => ({ preset, secondsPerPage, pages }));
    const deployed = rows.map((row) => {
      const spec = DeploymentSpec.parse(row.spec);
      const isSandbox = row.environment.cluster?.kind === "sandbox";
      return { deploymentId: row.id, environmentId: row.environmentId, title: `${row.environment.name} / ${row.name}${row.state === "ready" ? "" : row.state === "stopped" ? " (asleep: a page wakes it)" : " (waking)"}`, modelId: spec.modelId, isEmbedded: false, isSandbox, measured: measuredBy(row.id) };
    });
    const embedded = (await embeddedUrl(db)) ? [{ deploymentId: null, environmentId: null, title: "Embedded CPU engine", modelId: EMBEDDED_MODEL, isEmbedded: true, isSandbox: false, measured: measuredBy(null) }] : [];
    return { engines: [...deployed, ...embedded] };
  },
});

/** The engine of a run. Throws `unavailable` when it is not ready, `not_found` when it is gone. */
export async function engineOf(db: Db, deploymentId: string | null): Promise<Engine> {
  return deploymentId === null ? embeddedEngine(db) : deployedEngine(db, deploymentId);
}

async function embeddedEngine(db: Db): Promise<Engine> {
  const url = await embeddedUrl(db);
  if (!url) throw new DomainError("unavailable", "The embedded engine is switched off. Choose a deployment.");
  const send = createSend({ origin: url, allowLoopback: true });
  return { deploymentId: null, modelId: EMBEDDED_MODEL, servedName: EMBEDDED_MODEL, skuId: null, hasThinkingSwitch: false, route: "embedded", send };
}

async function deployedEngine(db: Db, deploymentId: string): Promise<Engine> {
  const row = await db.deployment.findFirst({ where: { id: deploymentId, deletedAt: null } });
  if (!row) throw notFound("deployment");
  if (row.state !== "ready") throw new DomainError("unavailable", `The deployment ${row.name} is not ready (${row.state}). Start it, or choose another engine.`, { retryAfterSeconds: 10 });
  const spec = DeploymentSpec.parse(row.spec);
  const model = modelById(spec.modelId);
  const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
  const servedName = servedNameOf(model.hfId);
  const way = await wayTo(kube, { id: deploymentId, namespace, service: row.name, servedName });
  return { deploymentId, modelId: model.id, servedName, skuId: skuById(spec.skuId).id, hasThinkingSwitch: model.thinkingSwitch, ...way };
}

type Way = { route: EngineRoute; send: Send };
const ways = new Map<string, { way: Way; until: number }>();

/** Straight to the Service when Lectern stands in the cluster's network, else through its API server; looked at again every minute. */
async function wayTo(kube: Kube, { id, ...at }: { id: string; namespace: string; service: string; servedName: string }): Promise<Way> {
  const known = ways.get(id);
  if (known && known.until > Date.now()) return known.way;
  const found = await kube.get<{ spec?: { clusterIP?: string } }>({ apiVersion: "v1", resource: "services", namespace: at.namespace, name: at.service }).catch(() => null);
  const clusterIp = found?.spec?.clusterIP;
  const direct = clusterIp ? await probeDirect({ ...at, port: ENGINE_PORT, clusterIp }) : null;
  const way: Way = direct ? { route: "direct", send: direct } : { route: "proxy", send: serviceProxySend(kube, { namespace: at.namespace, service: at.service, port: ENGINE_PORT }) };
  ways.set(id, { way, until: Date.now() + ROUTE_KEPT_MS });
  return way;
}

/** Has the way to a deployment's engine looked for anew, after it led nowhere. */
export function forgetWay(deploymentId: string | null): void {
  if (deploymentId) ways.delete(deploymentId);
}

/** The manifests serve the model under its own name, so that clients recognise it. */
function servedNameOf(hfId: string): string {
  return hfId;
}
