import "server-only";
import type { EnvironmentKind } from "@/lib/domain/environment";
import type { Db } from "@/lib/platform/db";
import { addShowcase } from "./showcase";

const FIRST_ENVIRONMENTS: { slug: string; name: string; kind: EnvironmentKind }[] = [
  { slug: "production", name: "Production", kind: "production" },
  { slug: "staging", name: "Staging", kind: "staging" },
  { slug: "development", name: "Development", kind: "development" },
];

/** What a first start finds: three environments on the sandbox cluster, and sample usage. Later starts leave all as it is. */
export async function seed(db: Db, sandboxClusterId: string | null, now: Date): Promise<void> {
  const isSeeded = await db.setting.findUnique({ where: { key: "seeded" } });
  if (isSeeded) return;
  await db.$transaction(async (tx) => {
    for (const environment of FIRST_ENVIRONMENTS) {
      await tx.environment.upsert({
        where: { slug: environment.slug },
        // As in environmentsCreate: production begins protected.
        create: { ...environment, namespace: `lectern-${environment.slug}`, clusterId: sandboxClusterId, needsApproval: environment.kind === "production" },
        update: {},
      });
    }
    await addShowcase(tx, now);
    await tx.setting.create({ data: { key: "seeded", value: { at: now.toISOString() } } });
  });
}
