import "server-only";
import type { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import type { Permission } from "@/lib/domain/policy";
import type { Db, Tx } from "@/lib/platform/db";
import type { AuditEntry } from "./audit-trail";

export type Context<Input, Store> = { caller: Caller; input: Input; db: Store; now: Date; body?: ReadableStream<Uint8Array> | undefined; signal?: AbortSignal | undefined };
type Target = NonNullable<AuditEntry["target"]> & { detail?: Record<string, unknown> };
/** "portal": no environment. "each": the operation itself filters by the environments that the caller may use. Else looked up from the row. */
export type EnvironmentOf<Input> = "portal" | "each" | ((input: Input, db: Db) => Promise<string | null>);

type Common<I extends z.ZodType, O extends z.ZodType> = {
  name: string;
  summary: string;
  input: I;
  output: O;
  permission: Permission;
  environment: EnvironmentOf<z.output<I>>;
  target?: (input: z.output<I>, result?: z.output<O>) => Target;
};
/** `audited`: reads that the trail must show, such as a document's. `answers`: a file is streamed as it is. */
type ReadSpec<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & { audited?: boolean; answers?: "json" | "file"; run(context: Context<z.output<I>, Db>): Promise<z.input<O>> };
/** `effect`: "database" runs in one transaction with its audit event; "outside" leaves an intent before and an outcome after. */
type WriteSpec<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & { accepts?: "json" | "stream" } & (
    | { effect: "database"; run(context: Context<z.output<I>, Tx>): Promise<z.input<O>> }
    | { effect: "outside"; run(context: Context<z.output<I>, Db>): Promise<z.input<O>> }
  );
export type ReadOperation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = ReadSpec<I, O> & { kind: "read" };
export type WriteOperation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = WriteSpec<I, O> & { kind: "write" };
export type Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = ReadOperation<I, O> | WriteOperation<I, O>;

export function read<I extends z.ZodType, O extends z.ZodType>(spec: ReadSpec<I, O>): ReadOperation<I, O> {
  return { ...spec, kind: "read" };
}
export function write<I extends z.ZodType, O extends z.ZodType>(spec: WriteSpec<I, O>): WriteOperation<I, O> {
  return { ...spec, kind: "write" };
}
