import "server-only";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's recommended scrypt cost: 128 MiB and about 0.3 s a guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** A salted scrypt hash as `scrypt$<salt>$<key>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return `scrypt$${salt.toString("base64url")}$${key.toString("base64url")}`;
}

/** Whether the password is the one that was hashed. Takes as long when there is no hash, so that names cannot be probed. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt, key] = stored?.split("$") ?? [];
  const derived = await derive(password, Buffer.from(salt ?? "", "base64url"));
  if (!key) return false;
  const expected = Buffer.from(key, "base64url");
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}
