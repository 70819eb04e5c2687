import "server-only";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { env } from "./env";

/** Requests with a bearer token come from programs; those with a cookie from our own pages. One never stands in for the other. */
export function requestOrigin(request: Request): Caller["origin"] {
  return request.headers.has("authorization") ? "api" : "ui";
}

/** Throws `forbidden` unless a request that could carry the session cookie was sent by one of our own pages. */
export function assertSameOrigin(request: { headers: Headers }): void {
  if (request.headers.has("authorization")) return; // the cookie is then ignored
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isOwn = origin !== null && origin === new URL(env().NEXTAUTH_URL).origin && (site === null || site === "same-origin");
  if (!isOwn) throw new DomainError("forbidden", "The request did not come from Lectern's own pages. Programs send a token in the Authorization header.");
}

/** Throws `forbidden` for a stream that a foreign page opens; our own pages send no Origin on GET, or our own. */
export function assertOwnStream(request: { headers: Headers }): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isForeign = (origin !== null && origin !== new URL(env().NEXTAUTH_URL).origin) || (site !== null && site !== "same-origin" && site !== "none");
  if (isForeign) throw new DomainError("forbidden", "The stream was opened from another site.");
}

const TOKEN_SHAPE = /lct_[A-Za-z0-9_-]{20,}/;

/** Tokens belong in the header only: addresses end up in logs and histories. */
export function refuseTokenInUrl(request: Request): void {
  const url = new URL(request.url);
  const hasTokenName = ["token", "access_token", "api_key"].some((name) => url.searchParams.has(name));
  if (hasTokenName || TOKEN_SHAPE.test(url.pathname + url.search)) {
    throw new DomainError("bad_request", "A token was sent in the address. Send it in the Authorization header, and revoke that one: addresses are logged on the way.");
  }
}
