import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient, type Prisma } from "@/lib/generated/prisma/client";
import { env } from "./env";

export type Db = PrismaClient;
/** The database inside a transaction. */
export type Tx = Prisma.TransactionClient;

const shared = globalThis as typeof globalThis & { lecternDb?: Db };

/** One client for the process, created on first use. */
export function db(): Db {
  shared.lecternDb ??= connect(env().DATABASE_URL);
  return shared.lecternDb;
}

/** A client of its own for the address; the caller disconnects it. */
export function connect(connectionString: string): Db {
  // Prisma's own 5 s would break a first start, or a page's last write, on a machine that is busy for a moment.
  return new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 20 }), transactionOptions: { timeout: 30_000, maxWait: 10_000 } });
}
