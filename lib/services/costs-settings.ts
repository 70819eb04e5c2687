import "server-only";
import { z } from "zod";
import { CostSettings, USUAL_COST_SETTINGS } from "@/lib/domain/cost-settings";
import type { Db, Tx } from "@/lib/platform/db";
import { read, write } from "./operation";

const KEY = "costs";

export async function costSettings(db: Db | Tx): Promise<CostSettings> {
  const row = await db.setting.findUnique({ where: { key: KEY } });
  return CostSettings.safeParse(row?.value).data ?? USUAL_COST_SETTINGS;
}

export const costsSettings = read({
  name: "costs.settings",
  summary: "How costs are counted: time zone, node hours, retention of raw rows",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: CostSettings,
  run: async ({ db }) => costSettings(db),
});

export const costsSetSettings = write({
  name: "costs.setSettings",
  summary: "Change how costs are counted",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: CostSettings,
  output: CostSettings,
  target: (input) => ({ type: "setting", name: "costs", detail: { ...input } }),
  run: async ({ db, input }) => {
    await db.setting.upsert({ where: { key: KEY }, create: { key: KEY, value: input }, update: { value: input } });
    return input;
  },
});
