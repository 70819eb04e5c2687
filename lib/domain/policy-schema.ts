import { z } from "zod";
import * as policy from "./policy";

/** The schemas of the policy's words, apart from the table: every page of the browser needs the table, and few need Zod. */
export const Role = z.enum(policy.ROLES);
export type Role = policy.Role;

export const Permission = z.enum(policy.PERMISSIONS as [policy.Permission, ...policy.Permission[]]);
export type Permission = policy.Permission;

export const TokenScope: z.ZodType<policy.TokenScope> = z.strictObject({
  environmentIds: z.array(z.uuid()).max(50).nullable(),
  permissions: z.array(Permission).min(1).max(policy.PERMISSIONS.length),
});
export type TokenScope = policy.TokenScope;
