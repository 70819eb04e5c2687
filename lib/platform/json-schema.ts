import "server-only";
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** JSON Schema (2020-12) of what a caller sends or gets. What JSON cannot say, such as a file, allows anything. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output", id: string): JsonSchema {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // Its own id makes the schema's inner references resolve inside it, wherever it is embedded.
  return "$defs" in plain ? { $id: `urn:lectern:${id}:${io}`, ...plain } : plain;
}
