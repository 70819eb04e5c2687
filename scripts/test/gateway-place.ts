import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { TokenScope } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { createSend } from "@/lib/platform/send";
import { engineOf, type Engine } from "@/lib/services/engines";
import { createGateway, type Gateway, type GatewayOptions } from "@/lib/services/gateway";
import { answerChat } from "@/lib/services/gateway-chat";
import { answerModels } from "@/lib/services/gateway-models";
import { answerOcr } from "@/lib/services/gateway-ocr";
import { makeToken } from "./principals";
import { serveRoute, type RouteServer } from "./serve-route";

/** A data folder and a master key of the test file's own; to be called before anything reads the configuration. */
export function ownFolder(): void {
  process.env.LECTERN_DATA_DIR = mkdtempSync(path.join(os.tmpdir(), "lectern-test-"));
  process.env.LECTERN_MASTER_KEY = randomBytes(32).toString("base64");
  process.env.DATABASE_URL ??= "postgresql://unused";
  process.env.LECTERN_LOG_LEVEL = "silent";
  process.env.LECTERN_ALLOW_LOOPBACK = "1"; // webhooks of tests go to this machine
}

/** What the gateway's tokens need at least. */
export const readingScope: TokenScope = { environmentIds: null, permissions: ["document.upload"] };

export type GatewayPlace = RouteServer & { gateway: Gateway };

type Options = Pick<GatewayOptions, "limits" | "wakeWaitMs" | "mostWaking" | "limitsFreshMs"> & { engines?: Map<string, string> };

/** The gateway's routes on a real HTTP server; `engines` gives addresses of engines by deployment. */
export async function serveGateway(db: Db, { engines = new Map(), ...options }: Options = {}): Promise<GatewayPlace> {
  const made = new Map<string, Engine>();
  const find = async (client: Db, deploymentId: string | null): Promise<Engine> => {
    const url = deploymentId && engines.get(deploymentId);
    if (!url) return engineOf(client, deploymentId);
    const known = made.get(deploymentId) ?? { deploymentId, modelId: "lightonocr-3-1b", servedName: "stand-in", skuId: null, hasThinkingSwitch: false, route: "direct", send: createSend({ origin: url, allowLoopback: true }) };
    made.set(deploymentId, known);
    return known;
  };
  const gateway = createGateway(db, { engineOf: find, ...options });
  const routes: Record<string, (request: Request) => Promise<Response>> = {
    "POST /v1/chat/completions": (request) => answerChat(gateway, request),
    "GET /v1/models": (request) => answerModels(gateway, request),
    "POST /v1/ocr": (request) => answerOcr(gateway, request),
  };
  const served = await serveRoute(async (request) => {
    const route = routes[`${request.method} ${new URL(request.url).pathname}`];
    return route ? route(request) : new Response(null, { status: 404 });
  });
  return { ...served, gateway };
}

/** A ready deployment of the 1B in that environment, as a row only. */
export async function makeDeployment(db: Db, environmentId: string, { name, state = "ready" }: { name: string; state?: string }): Promise<string> {
  const spec = DeploymentSpec.parse({ name, modelId: "lightonocr-3-1b", skuId: "gcp-g2-standard-4" });
  const row = await db.deployment.create({ data: { environmentId, name, spec, state } });
  return row.id;
}

export async function makeApiKey(db: Db, userId: string, scope: TokenScope = readingScope): Promise<string> {
  const { headers } = await makeToken(db, userId, scope);
  return headers.authorization.slice("Bearer ".length);
}
