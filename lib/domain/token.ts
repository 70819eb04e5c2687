import { z } from "zod";
import { PlainName } from "./identity";
import { can, canSee, environmentsWith, POLICY, type Actor, type Permission } from "./policy";
import { TokenScope } from "./policy-schema";

export const TOKEN_MAX_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export const CreateToken = z.strictObject({ name: PlainName, scope: TokenScope, expiresInDays: z.number().int().min(1).max(TOKEN_MAX_DAYS) });
export type CreateToken = z.infer<typeof CreateToken>;

export const TokenState = z.enum(["live", "expired", "revoked"]);
export type TokenState = z.infer<typeof TokenState>;

export function tokenExpiry(days: number, now: Date): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

export function tokenState(token: { expiresAt: Date; revokedAt: Date | null }, now: Date): TokenState {
  if (token.revokedAt) return "revoked";
  return token.expiresAt <= now ? "expired" : "live";
}

function exceeds(actor: Actor, permission: Permission, environmentIds: string[] | null): boolean {
  if (POLICY[permission].scope === "portal") return !can(actor, permission, null);
  if (environmentIds) return environmentIds.some((id) => !can(actor, permission, id));
  const where = environmentsWith(actor, permission);
  return where !== "all" && where.length === 0;
}

/** Why the scope is more than the actor has now, as a sentence; undefined when it is not. */
export function scopeRefusal(actor: Actor, scope: TokenScope): string | undefined {
  if (actor.kind !== "user") return "A token cannot make tokens. Sign in and create it under Settings, Tokens.";
  if (scope.environmentIds?.some((id) => !canSee(actor, id))) return "The scope names an environment that does not exist or that you have no role in.";
  const excess = scope.permissions.find((permission) => exceeds(actor, permission, scope.environmentIds));
  return excess ? `You do not have the right "${POLICY[excess].title}" everywhere in this scope, so a token of yours cannot have it.` : undefined;
}
