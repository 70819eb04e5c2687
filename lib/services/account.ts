import "server-only";
import { z } from "zod";
import { DomainError } from "@/lib/domain/errors";
import { NewPassword, SignInMethod } from "@/lib/domain/identity";
import { Permission, Role } from "@/lib/domain/policy-schema";
import { signInLimits } from "@/lib/platform/auth-limits";
import { hashPassword, verifyPassword } from "@/lib/platform/password";
import { read, write } from "./operation";

const Me = z.strictObject({
  kind: z.enum(["anonymous", "user", "token", "system"]),
  userId: z.string().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  method: SignInMethod,
  isOwner: z.boolean(),
  grants: z.array(z.strictObject({ environmentId: z.uuid(), role: Role })),
  scope: z.strictObject({ environmentIds: z.array(z.uuid()).nullable(), permissions: z.array(Permission) }).nullable(),
});

/** Who the caller is and what they may do: the browser asks the same policy table with it. */
export const accountGet = read({
  name: "account.get",
  summary: "Who I am and what I may do",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: Me,
  run: async ({ caller: { actor }, db }) => {
    const user = actor.userId ? await db.user.findUnique({ where: { id: actor.userId }, select: { email: true, oidcSubject: true } }) : null;
    return { ...actor, email: user?.email ?? null, method: user?.oidcSubject ? ("oidc" as const) : ("password" as const) };
  },
});

/** Ends every other session of the person: whoever knew the old password is out. */
export const accountChangePassword = write({
  name: "account.changePassword",
  summary: "Change my password and end my other sessions",
  permission: "account.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ present: z.string().min(1, "Enter your present password.").max(256), next: NewPassword }),
  output: z.strictObject({ ended: z.number().int() }),
  target: (_input, result) => ({ type: "user", detail: { endedSessions: result?.ended ?? 0 } }),
  run: async ({ caller, input, db, now }) => {
    const { userId, kind } = caller.actor;
    const user = kind === "user" && userId ? await db.user.findUnique({ where: { id: userId } }) : null;
    if (!user?.passwordHash) throw new DomainError("forbidden", "This account has no password here: it signs in through the identity provider, or this is a token.");
    await signInLimits().attempt(caller.ip, user.id);
    if (!(await verifyPassword(input.present, user.passwordHash))) throw new DomainError("forbidden", "The present password is not right.");
    await db.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(input.next) } });
    const others = caller.sessionId ? { id: { not: caller.sessionId } } : {};
    const { count } = await db.session.updateMany({ where: { userId: user.id, endedAt: null, ...others }, data: { endedAt: now } });
    return { ended: count };
  },
});
