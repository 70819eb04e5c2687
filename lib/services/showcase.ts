import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { sampleNodeIntervals, sampleUsage } from "@/lib/domain/showcase";
import type { Tx } from "@/lib/platform/db";
import { write } from "./operation";

/** Adds the environment Showcase with 90 days of invented usage; everything in it is marked as sample data. */
export async function addShowcase(tx: Tx, now: Date): Promise<void> {
  const environment = await tx.environment.create({
    data: { slug: "showcase", name: "Showcase", kind: "preview", namespace: "lectern-showcase", isSample: true },
  });
  await tx.usageHour.createMany({ data: sampleUsage(now).map((row) => ({ ...row, environmentId: environment.id })) });
  await tx.nodeInterval.createMany({
    data: sampleNodeIntervals(now).map((row) => ({ ...row, id: randomUUID(), environmentId: environment.id, lastSeenAt: row.endedAt ?? now })),
  });
}

/** One button removes the sample environment and all that belongs to it. */
export const samplesRemove = write({
  name: "samples.remove",
  summary: "Remove the sample environment with all its usage",
  permission: "portal.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.number().int() }),
  target: () => ({ type: "environment", name: "Showcase" }),
  run: async ({ db }) => ({ removed: (await db.environment.deleteMany({ where: { isSample: true } })).count }),
});
