import { z } from "zod";
import { Member } from "./member";

/** How long a request waits for a decision, and how long an approval may then be used. */
export const APPROVAL_VALID_MS = 24 * 60 * 60 * 1000;

/** The rule of an environment: whether somebody else must approve, and who may. Owners of the portal always may. */
export const Protection = z.strictObject({
  needsApproval: z.boolean(),
  approvers: z.array(Member).max(20, "Name at most 20 people and groups."),
});
export type Protection = z.infer<typeof Protection>;

export const ApprovalState = z.enum(["pending", "approved", "rejected", "used", "void", "expired"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export type Approval = {
  state: string;
  isBypass: boolean;
  requestedById: string;
  decidedById: string | null;
  expiresAt: Date;
};

/** What the approval is worth at that time: what nobody decided on or used in time has expired. */
export function approvalStateAt({ state, expiresAt }: { state: string; expiresAt: Date }, now: Date): ApprovalState {
  const known = ApprovalState.parse(state);
  return (known === "pending" || known === "approved") && expiresAt <= now ? "expired" : known;
}

/** Who wants to decide: the person behind a session or a token, with the groups of the identity provider. */
export type Decider = { userId: string | null; isOwner: boolean; groups: readonly string[] };

/** Why this person may not approve or reject the request; undefined when they may. */
export function decisionRefusal(approval: Approval, decider: Decider, { protection, now }: { protection: Protection; now: Date }): string | undefined {
  const state = approvalStateAt(approval, now);
  if (state !== "pending") return `This request is ${state}: nothing is left to decide.`;
  if (decider.userId === null) return "Only a person decides on a request.";
  if (decider.userId === approval.requestedById) return "You asked for it yourself: somebody else decides.";
  if (decider.isOwner || protection.approvers.some((one) => isNamed(one, decider))) return undefined;
  return "The environment's rules do not name you as an approver. Ask one of those named there.";
}

function isNamed(member: Member, { userId, groups }: Decider): boolean {
  return member.kind === "person" ? member.userId === userId : groups.includes(member.group);
}

/** Whether the person may apply with it: approved, in time, by somebody else; a bypass serves only who declared it. */
export function isUsable(approval: Approval, by: { userId: string | null; now: Date }): boolean {
  if (by.userId === null || approvalStateAt(approval, by.now) !== "approved") return false;
  return approval.isBypass === (approval.decidedById === by.userId);
}

/** Why none of the approvals of exactly this version can be used, as one sentence with the way on. */
export function approvalRefusal(approvals: readonly Approval[], at: { environment: string; userId: string | null; now: Date }): string {
  const states = approvals.map((one) => approvalStateAt(one, at.now));
  const needs = `${at.environment} needs an approval by somebody else for exactly this version`;
  if (states.includes("approved")) return `${needs}, and you approved it yourself: whoever asked for it applies it.`;
  if (states.includes("pending")) return `${needs}, and nobody has decided on the request yet.`;
  if (states.includes("rejected")) return `${needs}, and the request was rejected. Read the reason, change it, and ask again.`;
  if (states.includes("used")) return `${needs}; the one that was given has been used. Ask for another.`;
  if (states.includes("expired")) return `${needs}; the one that was given is older than 24 hours. Ask again.`;
  return `${needs}. Ask for one.`;
}
