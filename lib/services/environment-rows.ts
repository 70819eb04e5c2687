import "server-only";
import { notFound } from "@/lib/domain/errors";
import type { Db, Tx } from "@/lib/platform/db";

/** The environment. Throws `not_found`. */
export async function environmentById(db: Db | Tx, id: string) {
  const environment = await db.environment.findUnique({ where: { id } });
  if (!environment) throw notFound("environment");
  return environment;
}
