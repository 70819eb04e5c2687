import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { env } from "@/lib/platform/env";
import { pageHeaders } from "@/lib/platform/security-headers";

/**
 * Gives every page its security headers, and the layout the nonce. It decides nothing about rights and redirects nobody:
 * a request that slips past it meets the same checks. Bodies are buffered and cut here, so /api and the gateway /v1 stay outside.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const { NODE_ENV, NEXTAUTH_URL, OIDC_ISSUER } = env();
  const answer = pageHeaders({ nonce, isDev: NODE_ENV === "development", portalUrl: NEXTAUTH_URL, oidcIssuer: OIDC_ISSUER });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search); // where the sign-in page leads back to
  headers.set("Content-Security-Policy", answer["Content-Security-Policy"] ?? ""); // Next takes the nonce for its own scripts from here
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(answer)) response.headers.set(name, value);
  return response;
}

export const config = { matcher: "/((?!api/|v1/|_next/static/).*)" };
