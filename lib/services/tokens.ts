import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { TokenScope } from "@/lib/domain/policy-schema";
import { CreateToken, scopeRefusal, tokenExpiry, TokenState, tokenState } from "@/lib/domain/token";
import { API_TOKEN_PREFIX, hashSecret, newSecret } from "@/lib/platform/secret-token";
import { read, write } from "./operation";

/** As much of a token as is shown afterwards: enough to recognise it, 30 of its 256 bits. */
const SHOWN_LENGTH = API_TOKEN_PREFIX.length + 5;

const common = { permission: "account.manage", environment: "portal" } as const;

const TokenRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  scope: TokenScope,
  state: TokenState,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
});

export const tokensCreate = write({
  ...common,
  name: "tokens.create",
  summary: "Create an API token; it is shown this once",
  effect: "database",
  input: CreateToken,
  output: z.strictObject({ id: z.uuid(), token: z.string(), prefix: z.string(), expiresAt: z.iso.datetime() }),
  target: (input, result) => ({ type: "token", id: result?.id ?? null, name: input.name, detail: { scope: input.scope, expiresAt: result?.expiresAt ?? null } }),
  run: async ({ caller, input, db, now }) => {
    const refusal = scopeRefusal(caller.actor, input.scope);
    if (refusal) throw new DomainError("forbidden", refusal);
    const token = newSecret(API_TOKEN_PREFIX);
    const prefix = token.slice(0, SHOWN_LENGTH);
    const expiresAt = tokenExpiry(input.expiresInDays, now);
    const data = { name: input.name, prefix, tokenHash: hashSecret(token), userId: caller.actor.userId ?? "", scope: input.scope, createdAt: now, expiresAt };
    const row = await db.apiToken.create({ data });
    return { id: row.id, token, prefix, expiresAt: expiresAt.toISOString() };
  },
});

export const tokensList = read({
  ...common,
  name: "tokens.list",
  summary: "My API tokens, also those that no longer work",
  input: z.strictObject({}),
  output: z.strictObject({ tokens: z.array(TokenRow) }),
  run: async ({ caller, db, now }) => {
    const rows = await db.apiToken.findMany({ where: { userId: caller.actor.userId ?? "" }, orderBy: { createdAt: "desc" }, take: 500 });
    const tokens = rows.map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      scope: TokenScope.parse(row.scope),
      state: tokenState(row, now),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      revokedAt: row.revokedAt?.toISOString() ?? null,
    }));
    return { tokens };
  },
});

export const tokensRevoke = write({
  ...common,
  name: "tokens.revoke",
  summary: "Revoke one of my API tokens at once",
  effect: "database",
  input: z.strictObject({ tokenId: z.uuid() }),
  output: z.strictObject({ name: z.string() }),
  target: (input, result) => ({ type: "token", id: input.tokenId, name: result?.name ?? null }),
  run: async ({ caller, input, db, now }) => {
    const row = await db.apiToken.findFirst({ where: { id: input.tokenId, userId: caller.actor.userId ?? "" } });
    if (!row) throw notFound("token");
    if (!row.revokedAt) await db.apiToken.update({ where: { id: row.id }, data: { revokedAt: now } });
    return { name: row.name };
  },
});
