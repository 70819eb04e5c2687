import "server-only";
import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { Caller } from "@/lib/domain/caller";
import { DomainError } from "@/lib/domain/errors";
import { identityOf, SignInMethod, type OidcIdentity } from "@/lib/domain/identity";
import { SESSION_ABSOLUTE_MS, SESSION_COOKIE } from "@/lib/domain/session";
import { oidcProvider, type OidcSettings } from "./auth-oidc";
import type { IdentityRequest } from "./door";
import { env } from "./env";
import { log } from "./log";

/** What signing in means: handed over by the services, as only they know rules and write rows. */
export type SignInRules = {
  identify(request: IdentityRequest): Promise<Caller>;
  /** The account's id. Throws `unauthenticated`, `forbidden` or `rate_limited`. */
  checkPassword(values: { email: string; password: string }, caller: Caller): Promise<string>;
  /** The id of the person whom the provider vouches for. Throws `forbidden`. */
  acceptIdentity(identity: OidcIdentity, caller: Caller): Promise<string>;
  /** Ends the session that the request carried, opens a new one and returns its secret, the cookie's value. */
  openSession(person: { userId: string; method: SignInMethod }, caller: Caller): Promise<string>;
  endSession(caller: Caller): Promise<void>;
  /** Records that a provider's answer was not accepted. */
  recordRefusal(reason: string, caller: Caller): Promise<void>;
};

/** One request to next-auth, and what came of it: the library swallows errors, so they are kept here. */
export type Attempt = { caller: Caller; refusal: unknown; isSignedIn: boolean; isSigningOut: boolean };

async function keepRefusal<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    attempt.refusal = error;
    throw error;
  }
}

function passwordProvider(rules: SignInRules, attempt: Attempt) {
  return Credentials({
    name: "E-mail and password",
    credentials: { email: {}, password: {} },
    authorize: async (values) => {
      const given = { email: String(values?.email ?? ""), password: String(values?.password ?? "") };
      return { id: await keepRefusal(attempt, () => rules.checkPassword(given, attempt.caller)) };
    },
  });
}

/**
 * next-auth's settings for one request. Its session "token" is an opaque secret: encoding opens a row in the session table, and a session is
 * read by the services' `identify` alone. State, PKCE and nonce cookies keep the library's own encryption.
 */
export function authOptions(rules: SignInRules, oidc: OidcSettings | null, attempt: Attempt): AuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    useSecureCookies: true,
    pages: { signIn: "/login", error: "/login" },
    session: { strategy: "jwt", maxAge: SESSION_ABSOLUTE_MS / 1000 },
    cookies: { sessionToken: { name: SESSION_COOKIE, options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } } },
    providers: [passwordProvider(rules, attempt), ...(oidc ? [oidcProvider(oidc)] : [])],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.provider !== "oidc") return true;
        try {
          user.id = await keepRefusal(attempt, () => rules.acceptIdentity(identityOf(profile), attempt.caller));
          return true;
        } catch (error) {
          if (error instanceof DomainError) return "/login?error=AccessDenied";
          throw error;
        }
      },
      jwt: ({ user, account }) => ({ sub: user.id, method: account?.provider === "oidc" ? "oidc" : "password" }),
    },
    jwt: {
      encode: async ({ token }) => {
        const secret = await keepRefusal(attempt, () => rules.openSession({ userId: String(token?.sub), method: SignInMethod.parse(token?.method) }, attempt.caller));
        attempt.isSignedIn = true;
        return secret;
      },
      decode: async () => (attempt.caller.sessionId ? { sub: attempt.caller.actor.userId ?? "" } : null),
    },
    events: { signOut: () => void (attempt.isSigningOut = true) },
    logger: { error: (code, detail) => log().warn({ code, reason: reasonOf(detail) }, "sign-in refused"), warn: () => {}, debug: () => {} },
  };
}

/** The message of the library's error; the rest of what it hands over may hold tokens and claims. */
export function reasonOf(detail: unknown): string {
  const error = detail && typeof detail === "object" && "error" in detail ? detail.error : detail;
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : "";
}
