import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

export type Forgery = { claims?: Record<string, unknown>; signWith?: "own" | "foreign" | "none" };
export type ForgingProvider = { issuer: string; forge(forgery: Forgery): void; stop(): Promise<void> };

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function jwt(claims: object, key: KeyObject | null): string {
  const text = `${base64({ alg: key ? "RS256" : "none", kid: "k1", typ: "JWT" })}.${base64(claims)}`;
  return `${text}.${key ? sign("RSA-SHA256", Buffer.from(text), key).toString("base64url") : ""}`;
}

/**
 * A provider that signs what a test tells it to: the code is "<nonce>" in base64url, so that the ID token carries the right nonce unless the test
 * forges it. It speaks discovery, keys and token endpoint, and has no userinfo.
 */
export async function startForgingProvider(clientId: string): Promise<ForgingProvider> {
  const [own, foreign] = [generateKeyPairSync("rsa", { modulusLength: 2048 }), generateKeyPairSync("rsa", { modulusLength: 2048 })];
  let forgery: Forgery = {};
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer(request.url ?? "", new URLSearchParams(body))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo

  function answer(path: string, form: URLSearchParams): object {
    if (path.includes("openid-configuration")) {
      return { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`, response_types_supported: ["code"], subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256"] };
    }
    if (path.startsWith("/jwks")) return { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] };
    const now = Math.floor(Date.now() / 1000);
    const nonce = Buffer.from(form.get("code") ?? "", "base64url").toString();
    const claims = { iss: issuer, aud: clientId, sub: "admin", iat: now, exp: now + 300, nonce, name: "Forged", email: "admin@example.test", groups: ["ocr-admin"], ...forgery.claims };
    const key = { own: own.privateKey, foreign: foreign.privateKey, none: null }[forgery.signWith ?? "own"];
    return { access_token: createHash("sha256").update(nonce).digest("hex"), token_type: "Bearer", id_token: jwt(claims, key) };
  }
  return { issuer, forge: (next) => void (forgery = next), stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) };
}
