/** How long a session lives without use, and at most. Milliseconds. */
export const SESSION_IDLE_MS = 30 * 60 * 1000;
export const SESSION_ABSOLUTE_MS = 12 * 60 * 60 * 1000;
/** A sign-in is fresh for so long: what takes something away from production asks for one. Milliseconds. */
export const FRESH_SIGN_IN_MS = 5 * 60 * 1000;

/** `__Host-` binds the cookie to this host, HTTPS (or loopback) and the path /. */
export const SESSION_COOKIE = "__Host-lectern-session";

export type SessionTimes = { lastSeenAt: Date; expiresAt: Date; endedAt: Date | null };

/** Whether a session still stands at that time: not ended, not past its absolute end, not idle for too long. */
export function isSessionLive(session: SessionTimes, now: Date): boolean {
  if (session.endedAt || now >= session.expiresAt) return false;
  return now.getTime() - session.lastSeenAt.getTime() < SESSION_IDLE_MS;
}
