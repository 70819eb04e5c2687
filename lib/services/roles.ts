import "server-only";
import { z } from "zod";
import { PERMISSIONS, POLICY, ROLE_MEANING, ROLES } from "@/lib/domain/policy";
import { Permission, Role } from "@/lib/domain/policy-schema";
import { read } from "./operation";

const Right = z.strictObject({
  permission: Permission,
  title: z.string(),
  scope: z.enum(["environment", "portal"]),
  /** Roles that have it in their environment; owners have every right. Empty for rights in the portal. */
  roles: z.array(Role),
  who: z.enum(["anyone", "signed-in", "owner"]).nullable(),
});

export const rolesList = read({
  name: "roles.list",
  summary: "What each role may do",
  permission: "portal.read",
  environment: "portal",
  input: z.strictObject({}),
  output: z.strictObject({ roles: z.array(z.strictObject({ role: Role, meaning: z.string() })), rights: z.array(Right) }),
  run: async () => ({
    roles: ROLES.map((role) => ({ role, meaning: ROLE_MEANING[role] })),
    rights: PERMISSIONS.map((permission) => {
      const rule = POLICY[permission];
      return { permission, title: rule.title, scope: rule.scope, roles: rule.scope === "environment" ? [...rule.roles] : [], who: rule.scope === "portal" ? rule.who : null };
    }),
  }),
});
