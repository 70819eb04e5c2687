import "server-only";
import { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import { notFound } from "@/lib/domain/errors";
import { SignInMethod } from "@/lib/domain/identity";
import { isSessionLive, SESSION_IDLE_MS } from "@/lib/domain/session";
import { read, write } from "./operation";

const SessionRow = z.strictObject({
  id: z.uuid(),
  method: SignInMethod,
  ip: z.string(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});

/** Sessions belong to a person: other people's are not found. */
const own = (caller: Caller) => ({ userId: caller.actor.userId ?? "", endedAt: null });

export const sessionsList = read({
  name: "sessions.list",
  summary: "Where I am signed in",
  permission: "account.manage",
  environment: "portal",
  input: z.strictObject({}),
  output: z.strictObject({ sessions: z.array(SessionRow) }),
  run: async ({ caller, db, now }) => {
    const alive = { expiresAt: { gt: now }, lastSeenAt: { gt: new Date(now.getTime() - SESSION_IDLE_MS) } };
    const rows = await db.session.findMany({ where: { ...own(caller), ...alive }, orderBy: { lastSeenAt: "desc" }, take: 200 });
    const sessions = rows.filter((row) => isSessionLive(row, now)).map((row) => ({
      id: row.id,
      method: SignInMethod.parse(row.method),
      ip: row.ip,
      userAgent: row.userAgent,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      isCurrent: row.id === caller.sessionId,
    }));
    return { sessions };
  },
});

export const sessionsEnd = write({
  name: "sessions.end",
  summary: "End one of my sessions",
  permission: "account.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ sessionId: z.uuid() }),
  output: z.strictObject({}),
  target: (input) => ({ type: "session", id: input.sessionId }),
  run: async ({ caller, input, db, now }) => {
    const { count } = await db.session.updateMany({ where: { id: input.sessionId, ...own(caller) }, data: { endedAt: now } });
    if (count === 0) throw notFound("session");
    return {};
  },
});

export const sessionsEndAll = write({
  name: "sessions.endAll",
  summary: "End all of my sessions",
  permission: "account.manage",
  environment: "portal",
  effect: "database",
  input: z.strictObject({ keepCurrent: z.boolean() }),
  output: z.strictObject({ ended: z.number().int() }),
  target: (_input, result) => ({ type: "session", detail: { ended: result?.ended ?? 0 } }),
  run: async ({ caller, input, db, now }) => {
    const others = input.keepCurrent && caller.sessionId ? { id: { not: caller.sessionId } } : {};
    const { count } = await db.session.updateMany({ where: { ...own(caller), ...others }, data: { endedAt: now } });
    return { ended: count };
  },
});
