import { z } from "zod";
import { canGrant, ROLES, type Actor } from "./policy";
import { Role } from "./policy-schema";

/** Who holds a role in an environment: one person, or all whom the identity provider puts into a group. */
export const Member = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("person"), userId: z.uuid() }),
  z.strictObject({ kind: z.literal("group"), group: z.string().trim().min(1, "Enter the group's name.").max(200) }),
]);
export type Member = z.infer<typeof Member>;

/** `next` null takes the member out of the environment. */
export type MemberChange = { environmentId: string; member: Member; present: Role[]; next: Role | null };

/** Why the actor may not make the change, as a sentence; undefined when they may. Roles above one's own are neither given nor taken. */
export function memberChangeRefusal(actor: Actor, { environmentId, member, present, next }: MemberChange): string | undefined {
  const isSelf = member.kind === "person" && member.userId === actor.userId;
  if (isSelf && next !== null) return "Nobody changes their own role. Ask another admin of this environment.";
  const touched = next ? [...present, next] : present;
  if (!canGrant(actor, "viewer", environmentId)) return "This needs the role admin in this environment. Ask one of its admins.";
  return touched.every((role) => canGrant(actor, role, environmentId)) ? undefined : "You cannot give or take a role above your own.";
}

/** The strongest of several roles. */
export function highestRole(roles: readonly Role[]): Role {
  return ROLES.findLast((role) => roles.includes(role)) ?? "viewer";
}
