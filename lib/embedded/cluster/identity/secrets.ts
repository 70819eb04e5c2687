import "server-only";
import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Secrets } from "../access/tokens";
import { parseJson, textAt } from "../json";
import { readPrivateFile, writePrivateFile } from "./files";

const TOKEN_BYTES = 32;

/** The administrator's token and the key that signs service account tokens: random, made once and kept. */
export function loadSecrets(directory: string): Secrets {
  const file = path.join(directory, "secrets.json");
  const stored = parseJson(readPrivateFile(file) ?? "");
  const adminToken = textAt(stored, "adminToken");
  const signingKey = textAt(stored, "signingKey");
  if (adminToken !== undefined && signingKey !== undefined) return { adminToken, signingKey };
  const made = { adminToken: randomBytes(TOKEN_BYTES).toString("base64url"), signingKey: randomBytes(TOKEN_BYTES).toString("base64url") };
  writePrivateFile(file, JSON.stringify(made));
  return made;
}
