import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { sendMail } from "@/lib/platform/mail";
import { postSigned, secretOf } from "./webhook-post";

const EVERY_MS = 2_000;
const AT_ONCE = 20;
/** A try that has not ended by then belongs to a process that has died. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 60 * 60 * 1000;
/** About half a day, the waits added up. */
const TRIES = 16;

export type Said = { environmentId: string; environmentName: string; kind: string; subject: string; sentence: string; path: string };
export type Way = { channel: string; address: string; id: string; at: Date };

/** Hands one notice to one address. Throws DomainError with why it was not taken. */
export async function deliver(said: Said, { channel, address, id, at }: Way): Promise<void> {
  const url = new URL(said.path, env().NEXTAUTH_URL).href;
  const { environmentId, environmentName: name, kind, subject, sentence } = said;
  if (channel === "email") {
    const text = `${sentence}\n\n${url}\n\nSent by Lectern for the environment ${name}. Its admins choose who gets this, under its rules.\n`;
    return sendMail({ to: address, subject: `[${name}] ${subject}`, text, id });
  }
  const content = { type: `lectern.${kind}`, at: at.toISOString(), environment: { id: environmentId, name }, subject, sentence, url };
  return postSigned({ address, id, secret: secretOf("environment-webhook", environmentId), content });
}

type Due = { id: string; channel: string; address: string; attempts: number };

/** Sends what is due and has not been tried by another; what was not taken comes again, later each time. Answers how many were tried. */
export async function sendDue(db: Db, now: Date): Promise<number> {
  const due = await db.$queryRaw<Due[]>`
    UPDATE notification_delivery SET attempts = attempts + 1, next_at = ${new Date(now.getTime() + LEASE_MS)}
    WHERE id IN (SELECT id FROM notification_delivery WHERE state = 'queued' AND next_at <= ${now} ORDER BY next_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING id, channel, address, attempts`;
  await Promise.all(due.map((one) => attempt(db, one, now)));
  return due.length;
}

async function attempt(db: Db, { id, channel, address, attempts }: Due, now: Date): Promise<void> {
  const row = await db.notificationDelivery.findUnique({ where: { id }, select: { notification: { include: { environment: { select: { name: true } } } } } });
  if (!row) return;
  const { notification: said } = row;
  try {
    await deliver({ ...said, environmentName: said.environment.name }, { channel, address, id, at: said.createdAt });
    await db.notificationDelivery.update({ where: { id }, data: { state: "delivered", message: "", endedAt: now } });
  } catch (error) {
    const message = error instanceof DomainError ? error.message : "It could not be sent.";
    const isOver = attempts >= TRIES;
    await db.notificationDelivery.update({ where: { id }, data: { message, ...(isOver ? { state: "given_up", endedAt: now } : { nextAt: new Date(now.getTime() + retryDelay(attempts)) }) } });
    log().warn({ kind: said.kind, channel, attempts, isOver }, "notice not delivered");
  }
}

/** Milliseconds until the next try: 10 s, doubled each time, an hour at most. */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}

/** Sends notices in the background until it is stopped. */
export function startNotifier(db: Db): { stop(): Promise<void> } {
  const end = new AbortController();
  const run = async () => {
    while (!end.signal.aborted) {
      const sent = await sendDue(db, new Date()).catch((error: unknown) => {
        log().error({ kind: error instanceof Error ? error.name : typeof error }, "notifier");
        return 0;
      });
      if (sent < AT_ONCE) await sleep(EVERY_MS, undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const done = run();
  return {
    stop: async () => {
      end.abort();
      await done;
    },
  };
}
