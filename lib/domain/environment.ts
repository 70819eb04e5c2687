import { z } from "zod";

export const EnvironmentKind = z.enum(["production", "staging", "development", "preview"]);
export type EnvironmentKind = z.infer<typeof EnvironmentKind>;
