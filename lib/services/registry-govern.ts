import "server-only";
import { accountChangePassword, accountGet } from "./account";
import { environmentsRules, environmentsSetRules } from "./approval-rules";
import { auditGet, auditList } from "./audit";
import { environmentsCreate, environmentsEdit, environmentsMove } from "./environment-writes";
import { environmentsList } from "./environments";
import { invitationsCreate, invitationsList, invitationsOpen, invitationsRedeem, invitationsRevoke } from "./invitations";
import { linksRedeemOwner } from "./links";
import { membersCandidates, membersList, membersRemove, membersSetRole } from "./members";
import { rolesList } from "./roles";
import { sessionsEnd, sessionsEndAll, sessionsList } from "./sessions";
import { tokensCreate, tokensList, tokensRevoke } from "./tokens";
import { usersDisable, usersEnable, usersList, usersSetOwner } from "./users";

/** Govern: people, rights, environments, tokens, the audit trail. */
export const governOperations = {
  "account.changePassword": accountChangePassword,
  "account.get": accountGet,
  "audit.get": auditGet,
  "audit.list": auditList,
  "environments.create": environmentsCreate,
  "environments.edit": environmentsEdit,
  "environments.list": environmentsList,
  "environments.move": environmentsMove,
  "environments.rules": environmentsRules,
  "environments.setRules": environmentsSetRules,
  "invitations.create": invitationsCreate,
  "invitations.list": invitationsList,
  "invitations.open": invitationsOpen,
  "invitations.redeem": invitationsRedeem,
  "invitations.revoke": invitationsRevoke,
  "links.redeemOwner": linksRedeemOwner,
  "members.candidates": membersCandidates,
  "members.list": membersList,
  "members.remove": membersRemove,
  "members.setRole": membersSetRole,
  "roles.list": rolesList,
  "sessions.end": sessionsEnd,
  "sessions.endAll": sessionsEndAll,
  "sessions.list": sessionsList,
  "tokens.create": tokensCreate,
  "tokens.list": tokensList,
  "tokens.revoke": tokensRevoke,
  "users.disable": usersDisable,
  "users.enable": usersEnable,
  "users.list": usersList,
  "users.setOwner": usersSetOwner,
};
