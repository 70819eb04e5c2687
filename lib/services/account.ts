import "server-only";
import { z } from "zod";
import { Permission, Role } from "@/lib/domain/policy";
import { read } from "./operation";

const Me = z.strictObject({
  kind: z.enum(["anonymous", "user", "token", "system"]),
  userId: z.string().nullable(),
  name: z.string(),
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
  run: async ({ caller }) => ({ ...caller.actor }),
});

