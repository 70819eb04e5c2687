import "server-only";
import { env } from "./env";

/** Set by scripts/serve.ts from the socket, after it removed any that the client sent. */
export const PEER_HEADER = "x-lectern-peer";

/** The address that the request came from; what the client says of itself counts only behind a trusted proxy. */
export function clientAddress(headers: Headers): string {
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  if (env().LECTERN_TRUST_PROXY === "1" && forwarded) return forwarded;
  return headers.get(PEER_HEADER) ?? "";
}
