import "server-only";
import type { z } from "zod";
import { db } from "@/lib/platform/db";
import type { Door } from "@/lib/platform/door";
import { accountGet } from "./account";
import { environmentsList } from "./environments";
import { identify } from "./identify";
import { invitationsCreate, invitationsList, invitationsOpen, invitationsRedeem, invitationsRevoke } from "./invitations";
import { linksRedeemOwner } from "./links";
import type { Operation } from "./operation";
import { execute } from "./pipeline";

/** Every operation by its name: the one place from which HTTP, MCP, OpenAPI, the browser's types and the tests take them. */
export const registry = {
  "account.get": accountGet,
  "environments.list": environmentsList,
  "invitations.create": invitationsCreate,
  "invitations.list": invitationsList,
  "invitations.open": invitationsOpen,
  "invitations.redeem": invitationsRedeem,
  "invitations.revoke": invitationsRevoke,
  "links.redeemOwner": linksRedeemOwner,
};

export type Registry = typeof registry;
export type OperationName = keyof Registry;
export type ReadName = { [Name in OperationName]: Registry[Name]["kind"] extends "read" ? Name : never }[OperationName];
export type WriteName = Exclude<OperationName, ReadName>;
export type Input<Name extends OperationName> = z.input<Registry[Name]["input"]>;
export type Output<Name extends OperationName> = z.output<Registry[Name]["output"]>;

/** Looks an operation up by a name that came from outside. */
export function findOperation(name: string): Operation | undefined {
  return Object.hasOwn(registry, name) ? (registry[name as OperationName] as unknown as Operation) : undefined; // hasOwn has checked the name; the pipeline works on the general type
}

/** What the transports see of the services. */
export const door: Door = {
  operations: registry,
  identify: (request) => identify(db(), request),
  execute: async (name, call) => {
    const operation = findOperation(name);
    if (!operation) throw new Error(`no operation ${name}`);
    return execute(operation, { ...call, db: db() });
  },
};
