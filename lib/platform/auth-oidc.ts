import "server-only";
import type { OAuthConfig } from "next-auth/providers/oauth";
import type { Profile } from "next-auth";
import { env } from "./env";

const TIMEOUT_MS = 10_000;

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string; name: string };

/** The identity provider by configuration, or null when there is none. Throws a sentence when the settings are not complete. */
export function oidcSettings(): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env();
  if (!issuer) return null;
  if (!clientId || !clientSecret) throw new Error("Configuration: OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.");
  return { issuer: issuer.replace(/\/$/, ""), clientId, clientSecret, name };
}

/**
 * The code flow with PKCE, state and nonce. The openid-client inside next-auth checks issuer, audience, nonce, times and signature of the
 * ID token, and that the userinfo answer is about the same subject.
 */
export function oidcProvider(settings: OidcSettings): OAuthConfig<Profile> {
  return {
    id: "oidc",
    name: settings.name,
    type: "oauth",
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    wellKnown: `${settings.issuer}/.well-known/openid-configuration`,
    authorization: { params: { scope: "openid email profile groups" } },
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    httpOptions: { timeout: TIMEOUT_MS },
    userinfo: {
      // Providers differ in where they put groups: in the ID token, or in the userinfo answer only.
      request: async ({ client, tokens }) => {
        if (!tokens.id_token || typeof client.issuer.metadata.userinfo_endpoint !== "string") return idTokenClaims(tokens);
        return { ...(await client.userinfo(tokens as Parameters<typeof client.userinfo>[0])), ...idTokenClaims(tokens) }; // next-auth types the token set more loosely than openid-client
      },
    },
    profile: (claims) => ({ id: String(claims.sub ?? "") }),
  };
}

function idTokenClaims(tokens: object): Profile {
  return "claims" in tokens && typeof tokens.claims === "function" ? (tokens.claims() as Profile) : {}; // openid-client's TokenSet: claims of the ID token that it has verified
}
