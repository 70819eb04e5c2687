import type { Input } from "@/lib/client/api";

/** What may need somebody: failures, and what is on its way, as pods that cannot be placed are. */
export const TROUBLED: Input<"deployments.list"> = { states: ["failed", "timed_out", "working"], limit: 50 };
