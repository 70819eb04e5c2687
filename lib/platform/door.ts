import "server-only";
import type { z } from "zod";
import type { Caller } from "@/lib/domain/caller";
import type { Permission } from "@/lib/domain/policy";

/** What a transport needs to know of an operation. */
export type DoorOperation = {
  name: string;
  kind: "read" | "write";
  summary: string;
  permission: Permission;
  input: z.ZodType;
  output: z.ZodType;
  accepts?: "json" | "stream";
  answers?: "json" | "file";
};

export type DoorCall = { caller: Caller; input: unknown; body?: ReadableStream<Uint8Array>; signal?: AbortSignal };

/** Everything that HTTP and MCP need of the services; handed to them, as platform does not import services. */
export type Door = {
  operations: Record<string, DoorOperation>;
  execute(name: string, call: DoorCall): Promise<unknown>;
  identify(request: IdentityRequest): Promise<Caller>;
};

/** The parts of a request that say who asks. */
export type IdentityRequest = { headers: Headers; origin: Caller["origin"]; requestId: string };

/** A file that an operation answers with. */
export type FileAnswer = {
  body: ReadableStream<Uint8Array> | Uint8Array;
  mediaType: string;
  /** Name offered for saving; absent for pictures that are shown in place. */
  fileName?: string;
  bytes?: number;
};
