import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { Tx } from "@/lib/platform/db";
import { hashPassword } from "@/lib/platform/password";

type NewAccount = { name: string; email: string; password: string; isOwner: boolean };

/** Creates an account that signs in with a password. Throws `conflict` when one with that e-mail exists; parallel calls take turns on the address. */
export async function createLocalAccount(tx: Tx, { password, ...account }: NewAccount): Promise<string> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${account.email}))`;
  const taken = await tx.user.count({ where: { email: account.email, passwordHash: { not: null } } });
  if (taken > 0) throw new DomainError("conflict", "There is already an account with this e-mail address. Sign in with it, and ask an admin to add you to the environment.");
  const user = await tx.user.create({ data: { ...account, passwordHash: await hashPassword(password) } });
  return user.id;
}
