/** Roles that a grant gives in one environment. The owner of the portal stands above them and is not granted here. */
export const ROLES = ["viewer", "analyst", "deployer", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_MEANING: Record<Role, string> = {
  viewer: "Sees deployments, manifests and costs.",
  analyst: "Also uploads documents and reads them.",
  deployer: "Also previews against the cluster, deploys, stops, starts and deletes deployments.",
  admin: "Also manages members, rules and other people's documents, and reads the audit log.",
};

type Rule = { title: string; scope: "environment"; roles: readonly Role[] } | { title: string; scope: "portal"; who: "anyone" | "signed-in" | "owner" };

/** The one table that decides. Nothing outside this file compares roles. */
export const POLICY = {
  "environment.read": { title: "See the environment and its deployments", scope: "environment", roles: ["viewer", "analyst", "deployer", "admin"] },
  "cost.read": { title: "See usage and costs", scope: "environment", roles: ["viewer", "analyst", "deployer", "admin"] },
  "deployment.preview": { title: "See the manifests of a deployment", scope: "environment", roles: ["viewer", "analyst", "deployer", "admin"] },
  "logs.read": { title: "Read container logs", scope: "environment", roles: ["deployer", "admin"] },
  "document.upload": { title: "Upload documents and have them read", scope: "environment", roles: ["analyst", "deployer", "admin"] },
  "document.read": { title: "Read own documents", scope: "environment", roles: ["analyst", "deployer", "admin"] },
  "document.manage": { title: "Read and delete other people's documents", scope: "environment", roles: ["admin"] },
  "deployment.apply": { title: "Deploy and roll back", scope: "environment", roles: ["deployer", "admin"] },
  "deployment.stop": { title: "Stop and start deployments", scope: "environment", roles: ["deployer", "admin"] },
  "deployment.delete": { title: "Delete deployments", scope: "environment", roles: ["deployer", "admin"] },
  "deployment.approve": { title: "Decide on approvals, where the environment's rules name them", scope: "environment", roles: ["viewer", "analyst", "deployer", "admin"] },
  "deployment.bypass": { title: "Deploy without the approval that is needed, with a reason", scope: "environment", roles: ["admin"] },
  "member.manage": { title: "Invite members and change roles", scope: "environment", roles: ["admin"] },
  "environment.edit": { title: "Change the environment's settings", scope: "environment", roles: ["admin"] },
  "audit.read": { title: "Read the audit log", scope: "environment", roles: ["admin"] },
  "link.redeem": { title: "Use a one-time link", scope: "portal", who: "anyone" },
  "portal.read": { title: "See the catalogue and one's own account", scope: "portal", who: "signed-in" },
  "account.manage": { title: "Manage one's own sessions and tokens", scope: "portal", who: "signed-in" },
  "portal.manage": { title: "Manage people, clusters and environments of the whole portal", scope: "portal", who: "owner" },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof POLICY;
export const PERMISSIONS = Object.keys(POLICY) as Permission[]; // Object.keys widens to string[]

export type Grant = { environmentId: string; role: Role };

/** What a token may do at most; `environmentIds` null means every environment of its owner. */
export type TokenScope = { environmentIds: string[] | null; permissions: Permission[] };

/** Who asks. A token's actor carries its owner's present rights and the scope that narrows them. */
export type Actor = {
  kind: "anonymous" | "user" | "token" | "system";
  userId: string | null;
  name: string;
  isOwner: boolean;
  grants: Grant[];
  scope: TokenScope | null;
};

export const ANONYMOUS: Actor = { kind: "anonymous", userId: null, name: "anonymous", isOwner: false, grants: [], scope: null };
export const SYSTEM: Actor = { kind: "system", userId: null, name: "system", isOwner: true, grants: [], scope: null };

function ruleOf(permission: Permission): Rule {
  return POLICY[permission];
}

function isInScope(scope: TokenScope | null, permission: Permission, environmentId: string | null): boolean {
  if (!scope) return true;
  if (!scope.permissions.includes(permission)) return false;
  return environmentId === null || scope.environmentIds === null || scope.environmentIds.includes(environmentId);
}

/**
 * Whether the actor has the permission: in that environment for an environment's permission, in the portal (environmentId null) for the others.
 * A token has the intersection of its scope with what its owner may do now.
 */
export function can(actor: Actor, permission: Permission, environmentId: string | null): boolean {
  const rule = ruleOf(permission);
  if (rule.scope === "portal") {
    if (rule.who === "anyone") return true;
    if (actor.kind === "anonymous" || !isInScope(actor.scope, permission, null)) return false;
    return rule.who === "signed-in" || actor.isOwner;
  }
  if (environmentId === null || actor.kind === "anonymous" || !isInScope(actor.scope, permission, environmentId)) return false;
  return actor.isOwner || actor.grants.some((grant) => grant.environmentId === environmentId && rule.roles.includes(grant.role));
}

/** Whether the environment may be known to the actor at all; without that it is answered as missing. */
export function canSee(actor: Actor, environmentId: string): boolean {
  if (actor.scope?.environmentIds && !actor.scope.environmentIds.includes(environmentId)) return false;
  return actor.isOwner || actor.grants.some((grant) => grant.environmentId === environmentId);
}

/** The environments in which the actor has the permission; "all" for those whom no list bounds. */
export function environmentsWith(actor: Actor, permission: Permission): string[] | "all" {
  if (actor.scope && !actor.scope.permissions.includes(permission)) return [];
  if (actor.isOwner) return actor.scope?.environmentIds ?? "all";
  return [...new Set(actor.grants.map((grant) => grant.environmentId))].filter((id) => can(actor, permission, id));
}

/** Why the actor may not, as the sentence on a disabled button; undefined when it is allowed. */
export function denialReason(actor: Actor, permission: Permission, environmentId: string | null): string | undefined {
  if (can(actor, permission, environmentId)) return undefined;
  const rule = ruleOf(permission);
  if (actor.kind === "anonymous") return "Sign in first.";
  if (actor.scope && !isInScope(actor.scope, permission, environmentId)) return "This token's scope does not include it.";
  if (rule.scope === "portal") return "Only an owner of the portal may do this.";
  const least = ROLES.find((role) => rule.roles.includes(role));
  return `This needs the role ${least} in this environment. Ask one of its admins.`;
}

/** Whether the actor may give the role in that environment: never above the own one, and only with the right to manage members. */
export function canGrant(actor: Actor, role: Role, environmentId: string): boolean {
  if (!can(actor, "member.manage", environmentId)) return false;
  if (actor.isOwner) return true;
  const rank = Math.max(-1, ...actor.grants.filter((grant) => grant.environmentId === environmentId).map((grant) => ROLES.indexOf(grant.role)));
  return ROLES.indexOf(role) <= rank;
}
