import "server-only";
import { pino, type Logger } from "pino";
import { env } from "./env";

/** Fields that must never reach a log, wherever they stand. Document text, prompts and credentials are not logged at all. */
const SECRET_FIELDS = ["authorization", "cookie", "token", "password", "secret", "kubeconfig", "credentials", "text", "prompt", "body"];
const redactPaths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.headers.${field}`]);

const shared = globalThis as typeof globalThis & { lecternLog?: Logger };

/** The structured log: counts, sizes, durations and ids only. */
export function log(): Logger {
  shared.lecternLog ??= pino({ level: env().LECTERN_LOG_LEVEL, redact: { paths: redactPaths, censor: "[redacted]" }, base: { service: "lectern" } });
  return shared.lecternLog;
}
