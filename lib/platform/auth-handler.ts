import "server-only";
import { randomUUID } from "node:crypto";
import { DomainError } from "@/lib/domain/errors";
import { authOptions, reasonOf, type Attempt, type SignInRules } from "./auth";
import { askNextAuth } from "./auth-adapter";
import { oidcSettings, type OidcSettings } from "./auth-oidc";
import { assertSameOrigin } from "./origin-check";
import { PRIVATE_HEADERS, problem } from "./problem";

/** What of next-auth is reachable. Its own session endpoint is not: account.get says who one is. */
const ACTIONS: Record<string, string[]> = { GET: ["csrf", "signin", "callback", "error"], POST: ["signin", "callback", "signout"] };

/** Not "cookies": that would sign the person out of every other application of the same registered domain. */
const CLEARED_AT_SIGN_OUT = { "Clear-Site-Data": '"cache", "storage"' };

/** Answers /api/auth/*: sign-in by password or OpenID Connect, and sign-out. Refusals are problem documents, or /login?error= after a provider's redirect. */
export async function handleAuth(request: Request, rules: SignInRules, oidc: OidcSettings | null = oidcSettings()): Promise<Response> {
  const requestId = randomUUID();
  try {
    const segments = new URL(request.url).pathname.split("/").slice(3);
    assertReachable(request, segments);
    const caller = await rules.identify({ headers: request.headers, origin: "ui", requestId });
    const attempt: Attempt = { caller, refusal: undefined, isSignedIn: false, isSigningOut: false };
    const answer = await askNextAuth(request, segments, authOptions(rules, oidc, attempt));
    await settle(segments, rules, { attempt, answer });
    return withHeaders(answer, { ...PRIVATE_HEADERS, "X-Request-Id": requestId, ...(segments[0] === "signout" ? CLEARED_AT_SIGN_OUT : {}) });
  } catch (error) {
    return problem(error, requestId);
  }
}

function assertReachable(request: Request, [action = "", provider = ""]: string[]): void {
  if (!ACTIONS[request.method]?.includes(action)) throw new DomainError("not_found", "There is no such address for signing in.");
  if (request.headers.has("authorization")) throw new DomainError("bad_request", "Signing in takes no Authorization header: a token needs no session.");
  if (request.method === "GET" && action === "callback" && provider !== "oidc") throw new DomainError("method_not_allowed", "Signing in with a password is a POST.");
  if (request.method === "POST") assertSameOrigin(request);
}

/** Turns what the library kept to itself into an answer and into rows. */
async function settle([action, provider]: string[], rules: SignInRules, { attempt, answer }: { attempt: Attempt; answer: Response }): Promise<void> {
  if (action === "signout" && attempt.isSigningOut) await rules.endSession(attempt.caller);
  if (action === "callback" && provider === "oidc" && !attempt.isSignedIn) await rules.recordRefusal(reasonOf(attempt.refusal) || "The provider's answer was not accepted.", attempt.caller);
  if (action === "callback" && provider === "credentials" && attempt.refusal) throw attempt.refusal;
  if (await isStaleForm(answer)) throw new DomainError("forbidden", "This page has been open for too long. Load it again, then repeat what you did.");
}

async function isStaleForm(answer: Response): Promise<boolean> {
  const target = answer.headers.get("location") ?? (await answer.clone().text());
  return target.includes("csrf=true");
}

function withHeaders(answer: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}
