import "server-only";
import type { z } from "zod";
import { DomainError } from "@/lib/domain/errors";

/** Parses a caller's input. Throws `invalid_input` with one sentence per wrong field; never repeats the value. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const first = fields[0];
  const where = first?.path ? `${first.path}: ` : "";
  throw new DomainError("invalid_input", `The input is not valid. ${where}${first?.message ?? ""}`, { fields });
}
