import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { SignInMethod } from "@/lib/domain/identity";
import { Role } from "@/lib/domain/policy-schema";
import type { Tx } from "@/lib/platform/db";
import { read, write } from "./operation";

const LISTED = 200;

const UserRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  method: SignInMethod,
  isOwner: z.boolean(),
  groups: z.array(z.string()),
  grants: z.array(z.strictObject({ environmentId: z.uuid(), role: Role })),
  disabledAt: z.iso.datetime().nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
});

export const usersList = read({
  name: "users.list",
  summary: "All people of the portal",
  permission: "portal.manage",
  environment: "portal",
  input: z.strictObject({ query: z.string().trim().max(120).default("") }),
  output: z.strictObject({ users: z.array(UserRow), total: z.number().int() }),
  run: async ({ input, db }) => {
    const contains = { contains: input.query, mode: "insensitive" as const };
    const where = input.query ? { OR: [{ name: contains }, { email: contains }] } : {};
    const include = { grants: { select: { environmentId: true, role: true } }, sessions: { select: { lastSeenAt: true }, orderBy: { lastSeenAt: "desc" as const }, take: 1 } };
    const [rows, total] = await Promise.all([db.user.findMany({ where, include, orderBy: [{ name: "asc" }, { id: "asc" }], take: LISTED }), db.user.count({ where })]);
    const users = rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      method: row.oidcSubject ? ("oidc" as const) : ("password" as const),
      isOwner: row.isOwner,
      groups: row.groups,
      grants: row.grants.map((grant) => ({ environmentId: grant.environmentId, role: Role.parse(grant.role) })),
      disabledAt: row.disabledAt?.toISOString() ?? null,
      lastSeenAt: row.sessions[0]?.lastSeenAt.toISOString() ?? null,
    }));
    return { users, total };
  },
});

/** Locks the owners' rows, so that two of them cannot go at the same moment. Throws `forbidden` when the person is the last one. */
async function assertAnotherOwner(tx: Tx, userId: string): Promise<void> {
  const owners = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM user_account WHERE is_owner AND disabled_at IS NULL ORDER BY id FOR UPDATE`;
  if (owners.length === 1 && owners[0]?.id === userId) throw new DomainError("forbidden", "The last owner stays: make somebody else an owner first.");
}

async function find(tx: Tx, id: string): Promise<{ name: string }> {
  const user = await tx.user.findUnique({ where: { id }, select: { name: true } });
  if (!user) throw notFound("person");
  return user;
}

const common = { permission: "portal.manage", environment: "portal" } as const;
const Person = z.strictObject({ userId: z.uuid() });
const Named = z.strictObject({ name: z.string() });

export const usersDisable = write({
  ...common,
  effect: "database",
  name: "users.disable",
  summary: "Disable an account: its sessions end and its tokens are refused at once",
  input: Person,
  output: Named,
  target: (input, result) => ({ type: "user", id: input.userId, name: result?.name ?? null }),
  run: async ({ input, db, now }) => {
    const user = await find(db, input.userId);
    await assertAnotherOwner(db, input.userId);
    await db.user.update({ where: { id: input.userId }, data: { disabledAt: now } });
    await db.session.updateMany({ where: { userId: input.userId, endedAt: null }, data: { endedAt: now } });
    return { name: user.name };
  },
});

export const usersEnable = write({
  ...common,
  effect: "database",
  name: "users.enable",
  summary: "Enable a disabled account",
  input: Person,
  output: Named,
  target: (input, result) => ({ type: "user", id: input.userId, name: result?.name ?? null }),
  run: async ({ input, db }) => {
    const user = await find(db, input.userId);
    await db.user.update({ where: { id: input.userId }, data: { disabledAt: null } });
    return { name: user.name };
  },
});

export const usersSetOwner = write({
  ...common,
  effect: "database",
  name: "users.setOwner",
  summary: "Make a person an owner of the portal, or no longer one",
  input: Person.extend({ isOwner: z.boolean() }),
  output: Named,
  target: (input, result) => ({ type: "user", id: input.userId, name: result?.name ?? null, detail: { isOwner: input.isOwner } }),
  run: async ({ input, db }) => {
    const user = await find(db, input.userId);
    if (!input.isOwner) await assertAnotherOwner(db, input.userId);
    await db.user.update({ where: { id: input.userId }, data: { isOwner: input.isOwner } });
    return { name: user.name };
  },
});
