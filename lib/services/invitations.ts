import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { CreateInvitation, INVITATION_MS, InvitationGrants, InvitationState, LinkSecret, linkState, RedeemInvitation } from "@/lib/domain/invitation";
import { canGrant, type Actor } from "@/lib/domain/policy";
import { Role } from "@/lib/domain/policy-schema";
import type { Db, Tx } from "@/lib/platform/db";
import { hashSecret, newSecret } from "@/lib/platform/secret-token";
import { actorOf } from "./identify";
import { findOpenLink, linkUrl, consumeLink } from "./links";
import { createLocalAccount } from "./local-account";
import { read, write } from "./operation";

const LISTED = 100;

const Invitation = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  role: Role,
  state: InvitationState,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  createdBy: z.string().nullable(),
});

/** Throws `forbidden` unless the actor may give every one of these roles. A hidden environment and a missing one answer the same. */
function assertCanGrantAll(actor: Actor, grants: z.infer<typeof InvitationGrants>): void {
  if (grants.every((grant) => canGrant(actor, grant.role, grant.environmentId))) return;
  throw new DomainError("forbidden", "You can give roles only where you manage members, and none above your own.");
}

const ofEnvironment = (environmentId: string) => ({ kind: "invitation", grants: { array_contains: [{ environmentId }] } });

export const invitationsCreate = write({
  name: "invitations.create",
  summary: "Invite a person by a one-time link",
  permission: "member.manage",
  environment: async (input) => input.grants[0]?.environmentId ?? null,
  effect: "database",
  input: CreateInvitation,
  output: z.strictObject({ id: z.uuid(), url: z.string(), expiresAt: z.iso.datetime() }),
  target: (input, result) => ({ type: "invitation", id: result?.id ?? null, name: input.email, detail: { grants: input.grants } }),
  run: async ({ caller, input, db, now }) => {
    assertCanGrantAll(caller.actor, input.grants);
    const secret = newSecret();
    const expiresAt = new Date(now.getTime() + INVITATION_MS);
    const data = { kind: "invitation", email: input.email, grants: input.grants, tokenHash: hashSecret(secret), createdById: caller.actor.userId, createdAt: now, expiresAt };
    const link = await db.link.create({ data });
    return { id: link.id, url: linkUrl("invite", secret), expiresAt: expiresAt.toISOString() };
  },
});

export const invitationsList = read({
  name: "invitations.list",
  summary: "The invitations to an environment",
  permission: "member.manage",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid() }),
  output: z.strictObject({ invitations: z.array(Invitation) }),
  run: async ({ input, db, now }) => {
    const rows = await db.link.findMany({ where: ofEnvironment(input.environmentId), orderBy: { createdAt: "desc" }, take: LISTED });
    const people = await db.user.findMany({ where: { id: { in: rows.flatMap((row) => row.createdById ?? []) } }, select: { id: true, name: true } });
    const nameOf = new Map(people.map((person) => [person.id, person.name]));
    const invitations = rows.flatMap((row) => {
      const grant = InvitationGrants.parse(row.grants).find((one) => one.environmentId === input.environmentId);
      return grant ? [{ id: row.id, email: row.email ?? "", role: grant.role, state: linkState(row, now), createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString(), createdBy: nameOf.get(row.createdById ?? "") ?? null }] : [];
    });
    return { invitations };
  },
});

async function environmentOfInvitation(input: { environmentId: string; invitationId: string }, db: Db): Promise<string | null> {
  const row = await db.link.findFirst({ where: { id: input.invitationId, ...ofEnvironment(input.environmentId) }, select: { id: true } });
  return row ? input.environmentId : null;
}

export const invitationsRevoke = write({
  name: "invitations.revoke",
  summary: "Withdraw an invitation that is still open",
  permission: "member.manage",
  environment: environmentOfInvitation,
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), invitationId: z.uuid() }),
  output: z.strictObject({}),
  target: (input) => ({ type: "invitation", id: input.invitationId }),
  run: async ({ input, db, now }) => {
    const { count } = await db.link.updateMany({ where: { id: input.invitationId, usedAt: null, revokedAt: null }, data: { revokedAt: now } });
    if (count !== 1) throw new DomainError("conflict", "This invitation has already been used or withdrawn.");
    return {};
  },
});

export const invitationsOpen = write({
  name: "invitations.open",
  summary: "See for whom an invitation is",
  permission: "link.redeem",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ secret: LinkSecret }),
  output: z.strictObject({ id: z.uuid(), email: z.string(), expiresAt: z.iso.datetime() }),
  target: (_input, result) => ({ type: "invitation", id: result?.id ?? null, name: result?.email ?? null }),
  run: async ({ input, db, now }) => {
    const link = await findOpenLink(db, "invitation", { secret: input.secret, now });
    return { id: link.id, email: link.email ?? "", expiresAt: link.expiresAt.toISOString() };
  },
});

/** The inviter's rights count when the invitation is used, too: what they lost since, they no longer give. */
async function assertInviterStillMay(tx: Tx, createdById: string | null, grants: z.infer<typeof InvitationGrants>): Promise<void> {
  const inviter = createdById ? await tx.user.findUnique({ where: { id: createdById } }) : null;
  const gone = new DomainError("expired", "Whoever invited you may no longer give this role. Ask for a new invitation.");
  if (!inviter || inviter.disabledAt) throw gone;
  const actor = await actorOf(tx, inviter);
  if (!grants.every((grant) => canGrant(actor, grant.role, grant.environmentId))) throw gone;
}

export const invitationsRedeem = write({
  name: "invitations.redeem",
  summary: "Accept an invitation and create one's account",
  permission: "link.redeem",
  environment: "portal",
  effect: "database",
  input: RedeemInvitation,
  output: z.strictObject({ userId: z.uuid(), email: z.string() }),
  target: (input, result) => ({ type: "user", id: result?.userId ?? null, name: input.name }),
  run: async ({ input, db, now }) => {
    const link = await findOpenLink(db, "invitation", { secret: input.secret, now });
    if (!link.email) throw notFound("invitation");
    const grants = InvitationGrants.parse(link.grants);
    await assertInviterStillMay(db, link.createdById, grants);
    await consumeLink(db, link.id, now);
    const userId = await createLocalAccount(db, { name: input.name, email: link.email, password: input.password, isOwner: false });
    await db.grant.createMany({ data: grants.map((grant) => ({ ...grant, userId, createdById: link.createdById })), skipDuplicates: true });
    return { userId, email: link.email };
  },
});
