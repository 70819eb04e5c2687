import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** Prefix by which a leaked API token can be recognised. */
export const API_TOKEN_PREFIX = "lct_";

/** A new secret of 256 random bits, with the prefix in front. */
export function newSecret(prefix = ""): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** SHA-256 (hex) of a secret. A fast hash is right here: 256 random bits cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
