import { z } from "zod";
import { EmailAddress, NewPassword, PlainName } from "./identity";
import { Role } from "./policy-schema";

export const OWNER_LINK_MS = 24 * 60 * 60 * 1000;
export const INVITATION_MS = 7 * 24 * 60 * 60 * 1000;

/** The part of a one-time link behind the #; browsers do not send it with the page's address. */
export const LinkSecret = z.string().min(40, "The link is not complete: copy all of it.").max(100);

export const RedeemOwner = z.strictObject({ secret: LinkSecret, name: PlainName, email: EmailAddress, password: NewPassword });
export const RedeemInvitation = z.strictObject({ secret: LinkSecret, name: PlainName, password: NewPassword });

export const InvitationGrants = z.array(z.strictObject({ environmentId: z.uuid(), role: Role })).min(1).max(20);
export const CreateInvitation = z.strictObject({ email: EmailAddress, grants: InvitationGrants });

export type LinkTimes = { expiresAt: Date; usedAt: Date | null; revokedAt: Date | null };
export const InvitationState = z.enum(["open", "used", "revoked", "expired"]);
export type InvitationState = z.infer<typeof InvitationState>;

/** Where a one-time link stands at that time. */
export function linkState(link: LinkTimes, now: Date): InvitationState {
  if (link.usedAt) return "used";
  if (link.revokedAt) return "revoked";
  return link.expiresAt <= now ? "expired" : "open";
}
