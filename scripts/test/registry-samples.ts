import { randomUUID } from "node:crypto";
import type { Input, OperationName } from "@/lib/services/registry";
import type { World } from "./registry-world";

const SECRET = "s".repeat(43);
const PASSWORD = "a long enough phrase";
const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };

/** A well-formed input of every operation, about the rows of a world. A new operation without one does not compile. */
export const SAMPLES: { [Name in OperationName]: (world: World) => Input<Name> } = {
  "account.changePassword": () => ({ present: PASSWORD, next: `${PASSWORD}, newer` }),
  "account.get": () => ({}),
  "audit.get": () => ({ id: randomUUID() }),
  "audit.list": () => ({}),
  "costs.now": () => ({}),
  "costs.report": ({ environmentId }) => ({ environmentId }),
  "deployments.create": ({ environmentId }) => ({ environmentId, deploymentId: randomUUID(), spec, digest: "0".repeat(64) }),
  "deployments.delete": ({ deploymentId }) => ({ id: deploymentId }),
  "deployments.get": ({ deploymentId }) => ({ id: deploymentId }),
  "deployments.list": () => ({}),
  "deployments.preview": ({ environmentId, deploymentId }) => ({ environmentId, deploymentId, spec }),
  "deployments.start": ({ deploymentId }) => ({ id: deploymentId }),
  "deployments.stop": ({ deploymentId }) => ({ id: deploymentId }),
  "documents.delete": ({ documentId }) => ({ id: documentId }),
  "documents.get": ({ documentId }) => ({ id: documentId }),
  "documents.list": () => ({}),
  "documents.page": ({ documentId }) => ({ id: documentId, number: 1, modelId: "lightonocr-3-1b", preset: "standard" }),
  "documents.upload": ({ environmentId }) => ({ environmentId, name: "contract.pdf" }),
  "engines.list": () => ({}),
  "environments.list": () => ({}),
  "invitations.create": ({ environmentId }) => ({ email: "someone@example.test", grants: [{ environmentId, role: "viewer" }] }),
  "invitations.list": ({ environmentId }) => ({ environmentId }),
  "invitations.open": () => ({ secret: SECRET }),
  "invitations.redeem": () => ({ secret: SECRET, name: "Someone", password: PASSWORD }),
  "invitations.revoke": ({ environmentId, invitationId }) => ({ environmentId, invitationId }),
  "links.redeemOwner": () => ({ secret: SECRET, name: "Someone", email: "someone@example.test", password: PASSWORD }),
  "members.candidates": ({ environmentId }) => ({ environmentId }),
  "members.list": ({ environmentId }) => ({ environmentId }),
  "members.remove": ({ environmentId, userId }) => ({ environmentId, member: { kind: "person", userId } }),
  "members.setRole": ({ environmentId, userId }) => ({ environmentId, member: { kind: "person", userId }, role: "viewer" }),
  "roles.list": () => ({}),
  "runs.cancel": ({ runId }) => ({ id: runId }),
  "runs.export": ({ runId }) => ({ id: runId, format: "markdown" }),
  "runs.get": ({ runId }) => ({ id: runId }),
  "runs.list": ({ documentId }) => ({ documentId }),
  "runs.start": ({ documentId }) => ({ documentId, deploymentId: null }),
  "samples.remove": () => ({}),
  "sessions.end": () => ({ sessionId: randomUUID() }),
  "sessions.endAll": () => ({ keepCurrent: true }),
  "sessions.list": () => ({}),
  "tokens.create": () => ({ name: "ci", scope: { environmentIds: null, permissions: ["environment.read"] }, expiresInDays: 30 }),
  "tokens.list": () => ({}),
  "tokens.revoke": () => ({ tokenId: randomUUID() }),
  "users.disable": ({ userId }) => ({ userId }),
  "users.enable": ({ userId }) => ({ userId }),
  "users.list": () => ({}),
  "users.setOwner": ({ userId }) => ({ userId, isOwner: true }),
};
