import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { OWNER_LINK_MS, RedeemOwner } from "@/lib/domain/invitation";
import type { Caller } from "@/lib/domain/caller";
import { SYSTEM } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { hashSecret, newSecret } from "@/lib/platform/secret-token";
import { recordAudit } from "./audit-trail";
import { createLocalAccount } from "./local-account";
import { write } from "./operation";

const AT_START: Caller = { actor: SYSTEM, origin: "scheduler", requestId: "start", ip: "", userAgent: "", sessionId: null, tokenId: null };

/** The address of a one-time link. The secret stands behind the #, which browsers keep out of requests, logs and referrers. */
export function linkUrl(page: "setup" | "invite", secret: string): string {
  return `${new URL(env().NEXTAUTH_URL).origin}/${page}#${secret}`;
}

/** The link by which the first owner is made: a new one at each start, the ones before revoked; null as soon as an owner exists. */
export async function ensureOwnerLink(db: Db, now: Date = new Date()): Promise<string | null> {
  return db.$transaction(async (tx) => {
    if ((await tx.user.count({ where: { isOwner: true } })) > 0) return null;
    await tx.link.updateMany({ where: { kind: "owner", usedAt: null, revokedAt: null }, data: { revokedAt: now } });
    const secret = newSecret();
    const link = await tx.link.create({ data: { kind: "owner", tokenHash: hashSecret(secret), createdAt: now, expiresAt: new Date(now.getTime() + OWNER_LINK_MS) } });
    await recordAudit(tx, AT_START, { action: "links.createOwner", environmentId: null, target: { type: "link", id: link.id }, outcome: "success" }, now);
    return linkUrl("setup", secret);
  });
}

/** The open link behind a secret. Throws `expired` when it is unknown, used, revoked or too old: the four look the same. */
export async function findOpenLink(tx: Tx, kind: "owner" | "invitation", at: { secret: string; now: Date }) {
  const link = await tx.link.findUnique({ where: { tokenHash: hashSecret(at.secret) } });
  if (link?.kind === kind && !link.usedAt && !link.revokedAt && link.expiresAt > at.now) return link;
  throw new DomainError("expired", kind === "owner" ? "This link is used up or too old. Start Lectern again: it prints a new one as long as there is no owner." : "This invitation is used up, withdrawn or too old. Ask for a new one.");
}

/** Marks a link as used; of two callers at the same moment one gets `expired`. */
export async function consumeLink(tx: Tx, id: string, now: Date): Promise<void> {
  const { count } = await tx.link.updateMany({ where: { id, usedAt: null, revokedAt: null }, data: { usedAt: now } });
  if (count !== 1) throw new DomainError("expired", "This link has just been used.");
}

export const linksRedeemOwner = write({
  name: "links.redeemOwner",
  summary: "Become the first owner with the one-time link",
  permission: "link.redeem",
  environment: "portal",
  effect: "database",
  input: RedeemOwner,
  output: z.strictObject({ userId: z.uuid(), email: z.string() }),
  target: (input, result) => ({ type: "user", id: result?.userId ?? null, name: input.name, detail: { isOwner: true } }),
  run: async ({ input, db, now }) => {
    const link = await findOpenLink(db, "owner", { secret: input.secret, now });
    await consumeLink(db, link.id, now);
    if ((await db.user.count({ where: { isOwner: true } })) > 0) throw new DomainError("expired", "This portal already has an owner. Ask them for an invitation.");
    const { name, email, password } = input;
    return { userId: await createLocalAccount(db, { name, email, password, isOwner: true }), email };
  },
});
