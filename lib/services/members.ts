import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { highestRole, Member, memberChangeRefusal } from "@/lib/domain/member";
import type { Actor } from "@/lib/domain/policy";
import { Role } from "@/lib/domain/policy-schema";
import type { Tx } from "@/lib/platform/db";
import { read, write } from "./operation";

const LISTED = 500;

const MemberRow = z.strictObject({
  member: Member,
  name: z.string(),
  email: z.string().nullable(),
  role: Role,
  /** The grant comes from OIDC_GROUP_GRANTS and is changed there. */
  isConfigured: z.boolean(),
  isDisabled: z.boolean(),
  since: z.iso.datetime(),
});

const where = (environmentId: string, member: Member) => (member.kind === "person" ? { environmentId, userId: member.userId } : { environmentId, group: member.group });
const keyOf = (member: Member) => (member.kind === "person" ? member.userId : member.group);

export const membersList = read({
  name: "members.list",
  summary: "Who has which role in an environment",
  permission: "environment.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid() }),
  output: z.strictObject({ members: z.array(MemberRow), owners: z.number().int() }),
  run: async ({ input, db }) => {
    const include = { user: { select: { name: true, email: true, disabledAt: true } } };
    const rows = await db.grant.findMany({ where: input, include, orderBy: { createdAt: "asc" }, take: LISTED });
    const keys = [...new Set(rows.map((row) => row.userId ?? row.group))];
    const members = keys.flatMap((key) => {
      const grants = rows.filter((row) => (row.userId ?? row.group) === key);
      const [first] = grants;
      if (!first) return [];
      const member: Member = first.userId ? { kind: "person", userId: first.userId } : { kind: "group", group: first.group ?? "" };
      const role = highestRole(grants.map((grant) => Role.parse(grant.role)));
      const isConfigured = member.kind === "group" && grants.some((grant) => grant.createdById === null);
      return [{ member, name: first.user?.name ?? first.group ?? "", email: first.user?.email ?? null, role, isConfigured, isDisabled: Boolean(first.user?.disabledAt), since: first.createdAt.toISOString() }];
    });
    return { members, owners: await db.user.count({ where: { isOwner: true, disabledAt: null } }) };
  },
});

export const membersCandidates = read({
  name: "members.candidates",
  summary: "People with an account who have no role in the environment yet",
  permission: "member.manage",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid(), query: z.string().trim().max(120).default("") }),
  output: z.strictObject({ people: z.array(z.strictObject({ userId: z.uuid(), name: z.string(), email: z.string().nullable() })) }),
  run: async ({ input, db }) => {
    const contains = { contains: input.query, mode: "insensitive" as const };
    const matches = input.query ? { OR: [{ name: contains }, { email: contains }] } : {};
    const free = { disabledAt: null, isOwner: false, grants: { none: { environmentId: input.environmentId } } };
    const rows = await db.user.findMany({ where: { ...free, ...matches }, orderBy: { name: "asc" }, take: 50, select: { id: true, name: true, email: true } });
    return { people: rows.map(({ id, ...person }) => ({ userId: id, ...person })) };
  },
});

/** The member's grants in the environment. Throws `forbidden` when the actor may not change them so, `conflict` when the configuration owns them. */
async function changeable(tx: Tx, actor: Actor, change: { environmentId: string; member: Member; next: Role | null }): Promise<Role[]> {
  const rows = await tx.grant.findMany({ where: where(change.environmentId, change.member) });
  const present = rows.map((row) => Role.parse(row.role));
  const refusal = memberChangeRefusal(actor, { ...change, present });
  if (refusal) throw new DomainError("forbidden", refusal);
  if (rows.some((row) => row.group !== null && row.createdById === null)) {
    throw new DomainError("conflict", "This group's role comes from the setting OIDC_GROUP_GRANTS. Change it there and start Lectern again.");
  }
  return present;
}

const common = { permission: "member.manage", environment: async (input: { environmentId: string }) => input.environmentId } as const;

export const membersSetRole = write({
  ...common,
  effect: "database",
  name: "members.setRole",
  summary: "Give a person or a group a role in an environment",
  input: z.strictObject({ environmentId: z.uuid(), member: Member, role: Role }),
  output: z.strictObject({ before: Role.nullable() }),
  target: (input, result) => ({ type: input.member.kind, id: keyOf(input.member), detail: { role: input.role, before: result?.before ?? null } }),
  run: async ({ caller, input, db }) => {
    const { environmentId, member, role } = input;
    const present = await changeable(db, caller.actor, { environmentId, member, next: role });
    if (member.kind === "person" && !(await db.user.findFirst({ where: { id: member.userId, disabledAt: null } }))) throw notFound("person");
    await db.grant.deleteMany({ where: where(environmentId, member) });
    await db.grant.create({ data: { ...where(environmentId, member), role, createdById: caller.actor.userId } });
    return { before: present.length > 0 ? highestRole(present) : null };
  },
});

export const membersRemove = write({
  ...common,
  effect: "database",
  name: "members.remove",
  summary: "Take a person or a group out of an environment",
  input: z.strictObject({ environmentId: z.uuid(), member: Member }),
  output: z.strictObject({ before: Role }),
  target: (input, result) => ({ type: input.member.kind, id: keyOf(input.member), detail: { before: result?.before ?? null } }),
  run: async ({ caller, input, db }) => {
    const { environmentId, member } = input;
    const present = await changeable(db, caller.actor, { environmentId, member, next: null });
    if (present.length === 0) throw notFound("member");
    await db.grant.deleteMany({ where: where(environmentId, member) });
    return { before: highestRole(present) };
  },
});
