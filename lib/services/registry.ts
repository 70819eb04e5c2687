import "server-only";
import type { z } from "zod";
import { db } from "@/lib/platform/db";
import type { Door } from "@/lib/platform/door";
import { identify } from "./identify";
import { execute } from "./pipeline";
import type { Operation } from "./operation";
import { deployOperations } from "./registry-deploy";
import { governOperations } from "./registry-govern";
import { operateOperations } from "./registry-operate";
import { payOperations } from "./registry-pay";
import { readOperations } from "./registry-read";

/** Every operation by its name: the one place from which HTTP, MCP, OpenAPI, the browser's types and the tests take them. */
export const registry = {
  ...deployOperations,
  ...readOperations,
  ...payOperations,
  ...operateOperations,
  ...governOperations,
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
