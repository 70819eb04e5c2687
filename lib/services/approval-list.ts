import "server-only";
import { z } from "zod";
import { ApprovalState, approvalStateAt, decisionRefusal, isUsable, Protection, type Decider } from "@/lib/domain/approval";
import { notFound } from "@/lib/domain/errors";
import { toYaml } from "@/lib/domain/manifest";
import type { KubeObject } from "@/lib/domain/manifest/kube-object";
import { can, type Actor } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";

const LISTED = 200;
const Digest = z.string().regex(/^[0-9a-f]{64}$/, "Give the digest that the preview answered.");

/** The caller as somebody who decides, with the groups of the identity provider. */
export async function deciderOf(db: Db | Tx, actor: Actor): Promise<Decider> {
  const user = actor.userId ? await db.user.findUnique({ where: { id: actor.userId }, select: { groups: true } }) : null;
  return { userId: actor.userId, isOwner: actor.isOwner, groups: user?.groups ?? [] };
}

const ApprovalRow = z.strictObject({
  id: z.uuid(),
  environmentId: z.uuid(),
  environmentName: z.string(),
  environmentKind: z.string(),
  digest: z.string(),
  deploymentId: z.uuid().nullable(),
  /** change: its digest is that of a preview. budget: to go beyond a budget, as `budgets.get` shows it. */
  about: z.enum(["change", "budget"]),
  title: z.string(),
  reason: z.string(),
  state: ApprovalState,
  isBypass: z.boolean(),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  decidedBy: z.string().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  decisionReason: z.string(),
  usedBy: z.string().nullable(),
  usedAt: z.iso.datetime().nullable(),
  /** Why the caller may not decide on it; null when they may. */
  refusal: z.string().nullable(),
  /** Whether the caller may apply with it now, once. */
  mayUse: z.boolean(),
});

export const approvalsList = read({
  name: "approvals.list",
  summary: "Requests for approval and what became of them, in the environments that I may see",
  permission: "environment.read",
  environment: "each",
  input: z.strictObject({ environmentId: z.uuid().optional(), digest: Digest.optional(), isOpen: z.boolean().optional(), isBypass: z.boolean().optional() }),
  output: z.strictObject({ approvals: z.array(ApprovalRow) }),
  run: async ({ caller, db, input, now }) => {
    const { environmentId, digest, isOpen, isBypass } = input;
    const open = isOpen ? { state: { in: ["pending", "approved"] }, expiresAt: { gt: now } } : {};
    const only = { ...(environmentId ? { environmentId } : {}), ...(digest ? { digest } : {}), ...(isBypass === undefined ? {} : { isBypass }), ...open };
    const environment = { select: { name: true, kind: true, needsApproval: true, approvers: true } };
    const rows = await db.approval.findMany({ where: { AND: [inEnvironmentsWith(caller.actor, "environment.read"), only] }, include: { environment }, orderBy: { requestedAt: "desc" }, take: LISTED });
    const ids = rows.flatMap((row) => [row.requestedById, row.decidedById ?? [], row.usedById ?? []].flat());
    const people = new Map((await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })).map((one) => [one.id, one.name]));
    const nameOf = (id: string | null) => (id === null ? null : (people.get(id) ?? "somebody who is gone"));
    const decider = await deciderOf(db, caller.actor);
    const approvals = rows.map(({ environment: place, requestedById, decidedById, usedById, ...row }) => ({
      ...row,
      about: row.about === "budget" ? ("budget" as const) : ("change" as const),
      environmentName: place.name,
      environmentKind: place.kind,
      state: approvalStateAt(row, now),
      requestedBy: nameOf(requestedById) ?? "",
      requestedAt: row.requestedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      decidedBy: nameOf(decidedById),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      usedBy: nameOf(usedById),
      usedAt: row.usedAt?.toISOString() ?? null,
      refusal: decisionRefusal({ ...row, requestedById, decidedById }, decider, { protection: protectionIn(place), now }) ?? null,
      mayUse: row.about !== "budget" && can(caller.actor, "deployment.apply", row.environmentId) && isUsable({ ...row, requestedById, decidedById }, { userId: caller.actor.userId, now }),
    }));
    return { approvals };
  },
});

const protectionIn = (place: { needsApproval: boolean; approvers: unknown }) => ({ needsApproval: place.needsApproval, approvers: Protection.shape.approvers.parse(place.approvers) });

export const approvalsGet = read({
  name: "approvals.get",
  summary: "What a request for approval is about: the manifests and what the preview showed",
  permission: "deployment.preview",
  environment: async (input, db) => (await db.approval.findUnique({ where: { id: input.id }, select: { environmentId: true } }))?.environmentId ?? null,
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({
    digest: z.string(),
    /** Null when the preview is no longer kept. */
    preview: z.strictObject({ yaml: z.string(), shown: z.record(z.string(), z.unknown()) }).nullable(),
  }),
  run: async ({ db, input }) => {
    const row = await db.approval.findUnique({ where: { id: input.id } });
    if (!row) throw notFound("approval");
    const preview = await db.preview.findFirst({ where: { digest: row.digest, environmentId: row.environmentId } });
    if (!preview) return { digest: row.digest, preview: null };
    const objects = preview.manifests as unknown as KubeObject[]; // written by render()
    // The database keeps no order of keys; people look for the kind first.
    const yaml = toYaml(objects.map(({ apiVersion, kind, metadata, ...rest }) => ({ apiVersion, kind, metadata, ...rest })));
    return { digest: row.digest, preview: { yaml, shown: z.record(z.string(), z.unknown()).parse(preview.shown) } };
  },
});
