import "server-only";
import { z } from "zod";
import { APPROVAL_VALID_MS, approvalRefusal, decisionRefusal, isUsable } from "@/lib/domain/approval";
import { DomainError, notFound } from "@/lib/domain/errors";
import type { Actor } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { deciderOf } from "./approval-list";
import { protectionOf } from "./approval-rules";
import { publish } from "./live";
import { write } from "./operation";

const Digest = z.string().regex(/^[0-9a-f]{64}$/, "Give the digest that the preview answered.");
const Reason = z.string().trim().min(3, "Say why, in a few words.").max(1000);

type Use = { environmentId: string; digest: string; actor: Actor; now: Date };

/**
 * Lets exactly this version through once: does nothing where the environment asks for no approval, else consumes one that is valid for the
 * actor and answers its id. Throws `forbidden` when there is none; of two at the same moment one wins.
 */
export async function assertApproved(tx: Tx, { environmentId, digest, actor, now }: Use): Promise<string | null> {
  const { needsApproval, name } = await protectionOf(tx, environmentId);
  if (!needsApproval) return null;
  const by = { userId: actor.userId, now };
  const rows = await tx.approval.findMany({ where: { environmentId, digest }, orderBy: { requestedAt: "desc" } });
  for (const row of rows.filter((one) => isUsable(one, by))) {
    const used = await tx.approval.updateMany({ where: { id: row.id, state: "approved" }, data: { state: "used", usedById: actor.userId, usedAt: now } });
    if (used.count === 1) return row.id;
  }
  throw new DomainError("forbidden", approvalRefusal(rows.filter((one) => !one.isBypass), { environment: name, ...by }));
}

/** Whether the environment would let this version through now; consumes nothing. */
export async function isApproved(db: Db | Tx, { environmentId, digest, actor, now }: Use): Promise<boolean> {
  const { needsApproval } = await protectionOf(db, environmentId);
  const rows = needsApproval ? await db.approval.findMany({ where: { environmentId, digest, state: "approved" } }) : [];
  return !needsApproval || rows.some((one) => isUsable(one, { userId: actor.userId, now }));
}

const Version = z.strictObject({ environmentId: z.uuid(), digest: Digest, reason: Reason });
const One = z.strictObject({ id: z.uuid() });
const Asked = One.extend({ title: z.string(), deploymentId: z.uuid() });
type Previewed = { environmentId: string; digest: string; deploymentId: string; title: string };

/** What was previewed under the digest, as the server keeps it: nobody tells the approver what the digest stands for. Throws `unprocessable`. */
async function previewed(tx: Tx, { environmentId, digest }: { environmentId: string; digest: string }): Promise<Previewed> {
  const row = await tx.preview.findFirst({ where: { environmentId, digest }, select: { deploymentId: true, spec: true } });
  if (!row) throw new DomainError("unprocessable", "There is no preview with this digest in this environment. Preview it again, then ask.");
  return { environmentId, digest, deploymentId: row.deploymentId, title: z.object({ name: z.string() }).parse(row.spec).name };
}

/** A preview is kept as long as somebody may still decide on it or use the approval. */
async function keepPreview(tx: Tx, { digest, expiresAt }: { digest: string; expiresAt: Date }): Promise<void> {
  await tx.preview.updateMany({ where: { digest, expiresAt: { lt: expiresAt } }, data: { expiresAt } });
}

/** A newer version of the same deployment makes what was asked or granted for older ones worthless. */
async function voidOlder(tx: Tx, { environmentId, digest, deploymentId }: Previewed): Promise<void> {
  await tx.approval.updateMany({ where: { environmentId, deploymentId, digest: { not: digest }, state: { in: ["pending", "approved"] } }, data: { state: "void" } });
}

async function needsOne(tx: Tx, environmentId: string): Promise<void> {
  const { needsApproval, name } = await protectionOf(tx, environmentId);
  if (!needsApproval) throw new DomainError("unprocessable", `${name} asks for no approval: deploy.`);
}

function personOf(actor: Actor): string {
  if (actor.userId === null) throw new DomainError("forbidden", "Only a person asks for an approval or gives one.");
  return actor.userId;
}

const describe = (input: z.output<typeof Version>, result?: z.output<typeof Asked>) => ({
  type: "approval",
  id: result?.id ?? null,
  name: result?.title ?? null,
  detail: { digest: input.digest, deploymentId: result?.deploymentId ?? null, reason: input.reason },
});

const askingOperation = { environment: async (input: { environmentId: string }) => input.environmentId, input: Version, output: Asked, target: describe } as const;

export const approvalsRequest = write({
  ...askingOperation,
  effect: "database",
  name: "approvals.request",
  summary: "Ask somebody else to approve exactly this version",
  permission: "deployment.apply",
  run: async ({ caller, db, input, now }) => {
    const requestedById = personOf(caller.actor);
    await needsOne(db, input.environmentId);
    const version = await previewed(db, input);
    const { deploymentId, title } = version;
    await voidOlder(db, version);
    const isOpen = { isBypass: false, state: { in: ["pending", "approved"] }, expiresAt: { gt: now } };
    const open = await db.approval.findFirst({ where: { environmentId: input.environmentId, digest: input.digest, ...isOpen } });
    if (open) return { id: open.id, title, deploymentId };
    const expiresAt = new Date(now.getTime() + APPROVAL_VALID_MS);
    const { id } = await db.approval.create({ data: { ...version, reason: input.reason, requestedById, requestedAt: now, expiresAt } });
    await keepPreview(db, { digest: input.digest, expiresAt });
    await publish(db, `environment:${input.environmentId}`, { data: { approvalId: id, state: "pending" } });
    return { id, title, deploymentId };
  },
});

export const approvalsBypass = write({
  ...askingOperation,
  effect: "database",
  name: "approvals.bypass",
  summary: "Deploy exactly this version without the approval that is needed, with a reason that everybody sees",
  permission: "deployment.bypass",
  run: async ({ caller, db, input, now }) => {
    const userId = personOf(caller.actor);
    await needsOne(db, input.environmentId);
    const version = await previewed(db, input);
    const { deploymentId, title } = version;
    const expiresAt = new Date(now.getTime() + APPROVAL_VALID_MS);
    const decided = { state: "approved", isBypass: true, requestedById: userId, decidedById: userId, decidedAt: now, decisionReason: input.reason };
    await db.approval.updateMany({ where: { environmentId: input.environmentId, digest: input.digest, state: "pending" }, data: { state: "void" } });
    const { id } = await db.approval.create({ data: { ...version, ...decided, reason: input.reason, requestedAt: now, expiresAt } });
    await keepPreview(db, { digest: input.digest, expiresAt });
    await publish(db, `environment:${input.environmentId}`, { data: { approvalId: id, state: "bypassed", by: caller.actor.name, title } });
    return { id, title, deploymentId };
  },
});

const Decision = One.extend({ reason: z.string().trim().max(1000).default("") });

async function environmentOfApproval(input: { id: string }, db: Db): Promise<string | null> {
  return (await db.approval.findUnique({ where: { id: input.id }, select: { environmentId: true } }))?.environmentId ?? null;
}

/** Decides once. Throws `forbidden` with the reason why this person may not, `conflict` when another decided in the same moment. */
async function decide(tx: Tx, decision: { id: string; reason: string; actor: Actor; now: Date; state: "approved" | "rejected" }): Promise<{ id: string; digest: string }> {
  const { id, reason, actor, now, state } = decision;
  const row = await tx.approval.findUnique({ where: { id } });
  if (!row) throw notFound("approval");
  const protection = await protectionOf(tx, row.environmentId);
  const refusal = decisionRefusal(row, await deciderOf(tx, actor), { protection, now });
  if (refusal) throw new DomainError("forbidden", refusal);
  const expiresAt = new Date(now.getTime() + APPROVAL_VALID_MS);
  const data = { state, decidedById: actor.userId, decidedAt: now, decisionReason: reason, expiresAt };
  const { count } = await tx.approval.updateMany({ where: { id, state: "pending" }, data });
  if (count === 0) throw new DomainError("conflict", "Somebody else has just decided on this request.");
  if (state === "approved") await keepPreview(tx, { digest: row.digest, expiresAt });
  await publish(tx, `environment:${row.environmentId}`, { data: { approvalId: id, state } });
  return { id, digest: row.digest };
}

const decisionOperation = { permission: "deployment.approve", environment: environmentOfApproval, output: One.extend({ digest: z.string() }) } as const;

export const approvalsApprove = write({
  ...decisionOperation,
  effect: "database",
  name: "approvals.approve",
  summary: "Approve exactly the version that was asked about; it may be applied once within 24 hours",
  input: Decision,
  target: (input, result) => ({ type: "approval", id: input.id, detail: { digest: result?.digest ?? null, reason: input.reason } }),
  run: ({ caller, db, input, now }) => decide(db, { ...input, actor: caller.actor, now, state: "approved" }),
});

export const approvalsReject = write({
  ...decisionOperation,
  effect: "database",
  name: "approvals.reject",
  summary: "Reject a request for approval, with the reason",
  input: One.extend({ reason: Reason }),
  target: (input, result) => ({ type: "approval", id: input.id, detail: { digest: result?.digest ?? null, reason: input.reason } }),
  run: ({ caller, db, input, now }) => decide(db, { ...input, actor: caller.actor, now, state: "rejected" }),
});
