import "server-only";
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { hookEvent, type HookEvent } from "@/lib/domain/forge-hook";
import { SYSTEM } from "@/lib/domain/policy";
import type { EnvironmentTemplate } from "@/lib/generated/prisma/client";
import type { Db, Tx } from "@/lib/platform/db";
import { readBody } from "@/lib/platform/gateway-body";
import { PRIVATE_HEADERS, problem } from "@/lib/platform/problem";
import { recordAudit, recordAuditAlone } from "./audit-trail";
import { closeEnvironment, openEnvironment, RequestFacts } from "./preview-environments-open";
import { hookSecretOf } from "./preview-environments-templates";

/** GitHub caps payloads at 25 MiB; one of a pull request has some 30 kB. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Refusals of one template that are written to the audit trail in a minute; more are only answered. */
const AUDITED_PER_MINUTE = 10;
/** Many pull requests may open at the same moment, and a forge does not ask twice. */
const PATIENT = { maxWait: 10_000, timeout: 30_000 };
const refused = new Map<string, number[]>();

type From = "github" | "gitlab" | "token";
type Arrived = { from: From; event: string; raw: Buffer };

/** Answers a forge's webhook: `POST /api/hooks/<template>`, signed by GitHub, with GitLab's secret token, or with it as a bearer token. */
export async function answerHook(db: Db, templateId: string, request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    const raw = Buffer.concat(await readBody(request, MOST_BYTES));
    const template = /^[0-9a-f-]{36}$/.test(templateId) ? await db.environmentTemplate.findFirst({ where: { id: templateId, deletedAt: null } }) : null;
    const arrived = template ? verified(template, request.headers, raw) : null;
    const caller: Caller = { actor: { ...SYSTEM, name: `webhook of ${template?.name ?? "?"}` }, origin: "api", requestId, ip: "", userAgent: request.headers.get("user-agent")?.slice(0, 200) ?? "", sessionId: null, tokenId: null };
    if (!template || !arrived) {
      if (template) await recordRefusal(db, template, caller);
      // The same for a template that does not exist: nobody learns which ids do.
      throw new DomainError("unauthenticated", "The signature is not right. Give the forge the secret that was shown when the template was made.");
    }
    const done = await take(db, { template, arrived, caller, now: new Date() });
    return Response.json(done, { status: done.state === "opened" ? 202 : 200, headers: PRIVATE_HEADERS });
  } catch (error) {
    return problem(error, requestId);
  }
}

function verified(template: EnvironmentTemplate, headers: Headers, raw: Buffer): Arrived | null {
  const secret = hookSecretOf(template);
  const signature = headers.get("x-hub-signature-256");
  const gitlab = headers.get("x-gitlab-token");
  const bearer = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
  if (signature !== null) {
    const wanted = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
    return isEqual(signature, wanted) ? { from: "github", event: headers.get("x-github-event") ?? "", raw } : null;
  }
  if (gitlab !== null) return isEqual(gitlab, secret) ? { from: "gitlab", event: headers.get("x-gitlab-event") ?? "", raw } : null;
  if (bearer !== undefined) return isEqual(bearer, secret) ? { from: "token", event: "", raw } : null;
  return null;
}

/** Of equal length by hashing: the time says nothing about either. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

async function recordRefusal(db: Db, { id }: EnvironmentTemplate, caller: Caller): Promise<void> {
  const now = Date.now();
  const lately = (refused.get(id) ?? []).filter((at) => now - at < 60_000);
  if (lately.length >= AUDITED_PER_MINUTE) return;
  refused.set(id, [...lately, now]);
  await recordAuditAlone(db, { ...caller, actor: { ...caller.actor, kind: "anonymous", isOwner: false } }, { action: "previewEnvironments.hook", environmentId: null, target: { type: "template", id }, decision: "denied", outcome: "failure", reason: "signature" });
}

type Taking = { template: EnvironmentTemplate; arrived: Arrived; caller: Caller; now: Date };
export type Taken = { state: "opened" | "closing" | "ignored" | "seen"; environmentId?: string };

async function take(db: Db, { template, arrived, caller, now }: Taking): Promise<Taken> {
  const event = hookEvent(arrived.from, { event: arrived.event, body: json(arrived.raw) });
  const isOther = event.repository !== null && event.repository.toLowerCase() !== template.repository.toLowerCase();
  if (isOther) throw new DomainError("forbidden", "This template belongs to another repository. Give each repository a template of its own.");
  if (event.action === "none") return { state: "ignored" };
  // A script's request has no time in it, so that the same one twice is no replay.
  const digest = arrived.from === "token" ? null : createHash("sha256").update(`${template.id}\n`).update(arrived.raw).digest("hex");
  try {
    return event.action === "open" ? await open(db, { template, event, caller, now, digest }) : await close(db, { template, event, caller, now, digest });
  } catch (error) {
    if (error instanceof AlreadyTaken) return { state: "seen" };
    throw error;
  }
}

class AlreadyTaken extends DomainError {}

/** In the transaction of its effect: a delivery that failed may come again, one that did not may not. */
async function once(tx: Tx, digest: string | null, now: Date): Promise<void> {
  if (digest === null) return;
  const { count } = await tx.hookDelivery.createMany({ data: { digest, at: now }, skipDuplicates: true });
  if (count === 0) throw new AlreadyTaken("conflict", "This delivery was taken already.");
}

type Acting = { template: EnvironmentTemplate; event: HookEvent; caller: Caller; now: Date; digest: string | null };

async function open(db: Db, { template, event, caller, now, digest }: Acting): Promise<Taken> {
  const { number, title, url, commit } = event;
  const request = RequestFacts.parse({ number, title: title.slice(0, 300), url, commit: commit.slice(0, 64) });
  return db.$transaction(async (tx) => {
    await once(tx, digest, now);
    const { environmentId } = await openEnvironment(tx, { templateId: template.id, request, now });
    await recordAudit(tx, caller, { action: "previewEnvironments.open", environmentId, target: { type: "environment", id: environmentId }, outcome: "success", detail: { templateId: template.id, number, commit: request.commit } });
    return { state: "opened" as const, environmentId };
  }, PATIENT);
}

async function close(db: Db, { template, event, caller, now, digest }: Acting): Promise<Taken> {
  const { number, isMerged } = event;
  return db.$transaction(async (tx) => {
    await once(tx, digest, now);
    const environmentId = await closeEnvironment(tx, { where: { templateId: template.id, number }, reason: isMerged ? "merged" : "closed", now });
    if (environmentId === null) return { state: "ignored" as const };
    await recordAudit(tx, caller, { action: "previewEnvironments.remove", environmentId, target: { type: "environment", id: environmentId }, outcome: "success", detail: { number, isMerged } });
    return { state: "closing" as const, environmentId };
  }, PATIENT);
}

function json(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    throw new DomainError("invalid_input", "The body is not JSON. Set the webhook's content type to application/json.");
  }
}
