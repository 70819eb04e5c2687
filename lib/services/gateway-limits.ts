import "server-only";
import { z } from "zod";
import { BatchQuotas, defaultBatchQuotas, defaultGatewayLimits, GatewayLimits } from "@/lib/domain/rate-limit";
import type { Db, Tx } from "@/lib/platform/db";
import { read, write } from "./operation";

const KEY = "gateway.limits";
const Limits = z.strictObject({ gateway: GatewayLimits, batches: BatchQuotas });
type Limits = z.infer<typeof Limits>;

/** The limits that an owner has set, else the usual ones. */
export async function limitsNow(db: Db | Tx): Promise<Limits> {
  const row = await db.setting.findUnique({ where: { key: KEY } });
  return Limits.safeParse(row?.value).data ?? { gateway: defaultGatewayLimits, batches: defaultBatchQuotas };
}

export const gatewayLimits = read({
  name: "gateway.limits",
  summary: "How much a token, a person and an environment may ask of the gateway and of batches",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: Limits,
  run: ({ db }) => limitsNow(db),
});

export const gatewaySetLimits = write({
  name: "gateway.setLimits",
  summary: "Set how much a token, a person and an environment may ask; every process follows within seconds",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: Limits,
  output: Limits,
  target: () => ({ type: "setting", id: KEY }),
  run: async ({ db, input }) => {
    await db.setting.upsert({ where: { key: KEY }, create: { key: KEY, value: input }, update: { value: input } });
    return input;
  },
});
