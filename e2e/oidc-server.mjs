/**
 * An OpenID Connect provider for tests, made of the package oidc-provider, on loopback only. Its sign-in page offers fixed test subjects, named
 * after the role that their group is granted; there are no passwords. `node e2e/oidc-server.mjs` serves it on OIDC_TEST_PORT (3190).
 */
import http from "node:http";
import { fileURLToPath } from "node:url";
import Provider from "oidc-provider";

export const SUBJECTS = ["admin", "deployer", "analyst", "viewer", "newcomer"];
const SCOPES = "openid email profile groups";

/** Everyone is in the group ocr-<subject>, but the newcomer, who is in none. */
function claimsOf(sub) {
  return { sub, name: `Test ${sub}`, email: `${sub}@example.test`, email_verified: true, groups: sub === "newcomer" ? [] : [`ocr-${sub}`] };
}

async function grantAll(ctx) {
  const { client, session, provider, result } = ctx.oidc;
  const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  if (known) return provider.Grant.find(known);
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(SCOPES);
  await grant.save();
  return grant;
}

function configuration({ clientId, clientSecret, redirectUri }) {
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], grant_types: ["authorization_code"], response_types: ["code"] }],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ["only-for-tests-on-loopback"] },
    ttl: { AccessToken: 300, AuthorizationCode: 60, IdToken: 300, Interaction: 600, Grant: 3600, Session: 3600 },
    findAccount: (_ctx, sub) => (SUBJECTS.includes(sub) ? { accountId: sub, claims: () => claimsOf(sub) } : undefined),
    loadExistingGrant: grantAll,
  };
}

function signInPage(uid) {
  const buttons = SUBJECTS.map((subject) => `<button name="subject" value="${subject}">Sign in as ${subject}</button>`).join("\n");
  return `<!doctype html><html lang="en"><title>Test identity provider</title><link rel="icon" href="data:,"><h1>Test identity provider</h1><form method="post" action="/interaction/${uid}">${buttons}</form></html>`;
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

async function interact(provider, request, response) {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") return response.setHeader("Content-Type", "text/html").end(signInPage(uid));
  const subject = (await bodyOf(request)).get("subject");
  return provider.interactionFinished(request, response, { login: { accountId: subject } }, { mergeWithLastSubmission: false });
}

/** Starts the provider on 127.0.0.1; port 0 takes a free one. */
export async function startOidcServer({ port = 0, ...client }) {
  const server = http.createServer();
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration(client));
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url.startsWith("/interaction/")) return answer(request, response);
    return interact(provider, request, response).catch(() => response.writeHead(400).end("This sign-in is over. Start again."));
  });
  const stop = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  return { issuer, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const portal = process.env.NEXTAUTH_URL ?? "http://localhost:3100";
  const client = { clientId: process.env.OIDC_CLIENT_ID ?? "lectern", clientSecret: process.env.OIDC_CLIENT_SECRET ?? "only-for-tests-on-loopback-only-32", redirectUri: `${portal}/api/auth/callback/oidc` };
  const { issuer } = await startOidcServer({ port: Number(process.env.OIDC_TEST_PORT ?? 3190), ...client });
  console.log(`test identity provider at ${issuer}`);
}
