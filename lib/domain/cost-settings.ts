import { z } from "zod";

/** How costs are counted in the whole portal. */
export const CostSettings = z.strictObject({
  /** Months and days begin at midnight here. */
  timeZone: z.string().refine(isTimeZone, "Write a time zone like Europe/Paris."),
  /** pod: a node counts from a pod's placement to its end. node: from ready to gone, also while no pod held it. */
  countFrom: z.enum(["pod", "node"]),
  /** Raw page rows are kept for so many days; the hours for ever. */
  rawDays: z.int().min(7).max(3650),
});
export type CostSettings = z.infer<typeof CostSettings>;

export const USUAL_COST_SETTINGS: CostSettings = { timeZone: "UTC", countFrom: "pod", rawDays: 400 };

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
