import type { Actor } from "./policy";

/** The door through which a request came. */
export type Origin = "ui" | "api" | "mcp" | "scheduler";

/** Who asks, and the circumstances that the audit trail keeps. */
export type Caller = {
  actor: Actor;
  origin: Origin;
  requestId: string;
  ip: string;
  userAgent: string;
  /** Public id of the session or token that the request carried. */
  sessionId: string | null;
  tokenId: string | null;
};
