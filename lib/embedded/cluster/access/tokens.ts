import "server-only";
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { isObject, numberAt, parseJson, textAt, type Json } from "../json";
import { uidOf } from "../object";
import type { Store } from "../store/store";
import { administrator, anonymous, type User } from "./user";

const DEFAULT_SECONDS = 3600;

export type Secrets = { adminToken: string; signingKey: string };

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function sign(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Tokens of the administrator and of service accounts. Wall-clock time counts here, whatever the sandbox clock does. */
export class Tokens {
  constructor(
    private readonly store: Store,
    private readonly secrets: Secrets,
  ) {}

  /** A signed token for a service account, and when it ends (milliseconds). */
  issue({ namespace, name, seconds = DEFAULT_SECONDS }: { namespace: string; name: string; seconds?: number }): {
    token: string;
    expiresAt: number;
  } {
    const account = this.store.get("/serviceaccounts", namespace, name);
    const issuedAt = Math.floor(Date.now() / 1000);
    const claims = {
      iss: "https://kubernetes.default.svc.cluster.local",
      sub: `system:serviceaccount:${namespace}:${name}`,
      aud: ["https://kubernetes.default.svc.cluster.local"],
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + seconds,
      jti: randomUUID(),
      "kubernetes.io": { namespace, serviceaccount: { name, uid: account ? uidOf(account) : "" } },
    };
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return { token: `${text}.${sign(text, this.secrets.signingKey)}`, expiresAt: claims.exp * 1000 };
  }

  /** The user behind an Authorization header; undefined when the credential is wrong. */
  authenticate(header: string | undefined): User | undefined {
    if (header === undefined || header === "") return anonymous;
    const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1];
    if (token === undefined) return undefined;
    return sameText(token, this.secrets.adminToken) ? administrator : this.serviceAccount(token);
  }

  private serviceAccount(token: string): User | undefined {
    const [head = "", body = "", signature = ""] = token.split(".");
    if (!sameText(signature, sign(`${head}.${body}`, this.secrets.signingKey))) return undefined;
    const claims = parseJson(Buffer.from(body, "base64url").toString());
    if (!isObject(claims) || (numberAt(claims, "exp") ?? 0) * 1000 < Date.now()) return undefined;
    const namespace = textAt(claims, "kubernetes.io", "namespace") ?? "";
    const account = this.store.get("/serviceaccounts", namespace, textAt(claims, "kubernetes.io", "serviceaccount", "name") ?? "");
    if (!account || uidOf(account) !== textAt(claims, "kubernetes.io", "serviceaccount", "uid")) return undefined;
    return {
      name: textAt(claims, "sub") ?? "",
      uid: uidOf(account),
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [`JTI=${textAt(claims, "jti") ?? ""}`] },
    };
  }
}
