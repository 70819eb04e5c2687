import "server-only";
import { z } from "zod";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { serviceProxySend } from "@/lib/platform/kube/service-proxy";
import { createSend } from "@/lib/platform/send";
import type { Send } from "@/lib/platform/transport";
import { kubeOfEnvironment } from "./clusters";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";

export const EMBEDDED_MODEL = "embedded-tesseract-5";
export const EMBEDDED_ENGINE_SETTING = "engine.embedded";
const ENGINE_PORT = 8000;

/** An engine that a page can be sent to, and what the usage log says of it. */
export type Engine = {
  deploymentId: string | null;
  modelId: string;
  /** The name that the engine serves the model under. */
  servedName: string;
  skuId: string | null;
  hasThinkingSwitch: boolean;
  /** Pages that may be under way at once. */
  slots: number;
  send: Send;
};

const EngineRow = z.strictObject({
  deploymentId: z.uuid().nullable(),
  environmentId: z.uuid().nullable(),
  title: z.string(),
  modelId: z.string(),
  isEmbedded: z.boolean(),
  isSandbox: z.boolean(),
});

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
      where: { ...inEnvironmentsWith(caller.actor, "document.upload"), state: "ready", deletedAt: null },
      include: { environment: { select: { name: true, cluster: { select: { kind: true } } } } },
      orderBy: { createdAt: "desc" },
    });
    const deployed = rows.map((row) => {
      const spec = DeploymentSpec.parse(row.spec);
      const isSandbox = row.environment.cluster?.kind === "sandbox";
      return { deploymentId: row.id, environmentId: row.environmentId, title: `${row.environment.name} / ${row.name}`, modelId: spec.modelId, isEmbedded: false, isSandbox };
    });
    const embedded = (await embeddedUrl(db)) ? [{ deploymentId: null, environmentId: null, title: "Embedded CPU engine", modelId: EMBEDDED_MODEL, isEmbedded: true, isSandbox: false }] : [];
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
  return { deploymentId: null, modelId: EMBEDDED_MODEL, servedName: EMBEDDED_MODEL, skuId: null, hasThinkingSwitch: false, slots: 2, send };
}

async function deployedEngine(db: Db, deploymentId: string): Promise<Engine> {
  const row = await db.deployment.findFirst({ where: { id: deploymentId, deletedAt: null } });
  if (!row) throw notFound("deployment");
  if (row.state !== "ready") throw new DomainError("unavailable", `The deployment ${row.name} is not ready (${row.state}). Start it, or choose another engine.`, { retryAfterSeconds: 10 });
  const spec = DeploymentSpec.parse(row.spec);
  const model = modelById(spec.modelId);
  const { kube, namespace } = await kubeOfEnvironment(db, row.environmentId);
  const send = serviceProxySend(kube, { namespace, service: row.name, port: ENGINE_PORT });
  return { deploymentId, modelId: model.id, servedName: servedNameOf(model.hfId), skuId: skuById(spec.skuId).id, hasThinkingSwitch: model.thinkingSwitch, slots: 4, send };
}

/** The manifests serve the model under its own name, so that clients recognise it. */
function servedNameOf(hfId: string): string {
  return hfId;
}
