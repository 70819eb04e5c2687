import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import type { OidcIdentity } from "@/lib/domain/identity";
import type { Db } from "@/lib/platform/db";
import { recordAudit } from "./audit-trail";
import { applyGroupGrants } from "./oidc-grants";

/**
 * The person behind an identity: issuer and subject decide, never the e-mail address. Name, e-mail and groups are taken over at each sign-in;
 * someone without a group that is granted something signs in and sees nothing. Throws `forbidden` for a disabled account.
 */
export async function acceptIdentity(db: Db, identity: OidcIdentity, caller: Caller): Promise<string> {
  const { issuer, subject, name, email, groups } = identity;
  const key = { oidcIssuer_oidcSubject: { oidcIssuer: issuer, oidcSubject: subject } };
  return db.$transaction(async (tx) => {
    await applyGroupGrants(tx);
    const before = await tx.user.findUnique({ where: key });
    if (before?.disabledAt) throw new DomainError("forbidden", "This account is disabled. Ask an owner of the portal.");
    const facts = { name, email, groups };
    const user = await tx.user.upsert({ where: key, create: { oidcIssuer: issuer, oidcSubject: subject, ...facts }, update: facts });
    const isChanged = !before || before.name !== name || before.email !== email || JSON.stringify(before.groups) !== JSON.stringify(groups);
    if (isChanged) {
      const detail = { issuer, groups: groups.length, changed: before ? ["name", "email", "groups"].filter((field) => JSON.stringify(before[field as keyof typeof facts]) !== JSON.stringify(facts[field as keyof typeof facts])) : [] }; // the three literals are keys of facts
      await recordAudit(tx, caller, { action: before ? "users.update" : "users.create", environmentId: null, target: { type: "user", id: user.id, name }, outcome: "success", detail });
    }
    return user.id;
  });
}
