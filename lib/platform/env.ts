import "server-only";
import { z } from "zod";

/** Every setting that Lectern reads from its environment; docs/configuration.md explains each. */
const Env = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  DATABASE_URL: z.string().min(1, "DATABASE_URL is not set: start Lectern with `npm run up`, which starts a private PostgreSQL server."),
  LECTERN_DATA_DIR: z.string().default(".lectern"),
  /** Address at which browsers reach the portal, without a path. */
  NEXTAUTH_URL: z.url().default("http://localhost:3000"),
  NEXTAUTH_SECRET: z.string().min(32).default("not-a-secret-not-a-secret-not-a-secret"),
  /** 32 bytes, base64: seals documents and cluster credentials. */
  LECTERN_MASTER_KEY: z.string().optional(),
  LECTERN_MASTER_KEY_ID: z.string().default("master-1"),
  /** Earlier master keys, which open and no longer seal: id:base64, separated by commas. */
  LECTERN_RETIRED_KEYS: z.string().default(""),
  LECTERN_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  /** "off" starts neither the sandbox cluster nor the embedded engine. */
  LECTERN_EMBEDDED: z.enum(["on", "off"]).default("on"),
  LECTERN_SANDBOX_PORT: z.coerce.number().int().min(0).max(65535).default(0),
  /** Kubeconfig file of the cluster that takes the sandbox's place; whoever runs Lectern chose it, so it may be on this machine. */
  LECTERN_KUBECONFIG: z.string().optional(),
  /** "1" lets addresses be entered that are on this machine; see `allowsLoopback`. */
  LECTERN_ALLOW_LOOPBACK: z.enum(["0", "1"]).default("0"),
  /** Set by Kubernetes in every pod: the cluster that Lectern itself runs in. */
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  KUBERNETES_SERVICE_PORT: z.coerce.number().int().min(1).max(65535).default(443),
  /** Trust X-Forwarded-For and X-Forwarded-Proto of the proxy in front. */
  LECTERN_TRUST_PROXY: z.enum(["0", "1"]).default("0"),
  /** The mail server through which notices leave; without a host there is no e-mail. */
  SMTP_HOST: z.string().optional(),
  SMTP_PORT: z.coerce.number().int().min(1).max(65535).default(587),
  SMTP_SECURITY: z.enum(["starttls", "tls", "none"]).default("starttls"),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_FROM: z.string().default("Lectern <lectern@localhost>"),
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default("Single sign-on"),
  /** JSON: [{ "group": "ocr-admins", "environment": "production", "role": "admin" }] */
  OIDC_GROUP_GRANTS: z.string().default("[]"),
});
export type Env = z.infer<typeof Env>;

let parsed: Env | undefined;

/** The settings, parsed once. Throws a sentence that names the wrong setting. */
export function env(): Env {
  if (parsed) return parsed;
  const result = Env.safeParse(process.env);
  if (!result.success) throw new Error(`Configuration: ${result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`);
  parsed = result.data;
  return parsed;
}

/** Whether an address that somebody entered may be on this machine: never in a production build, whatever its settings say. */
export function allowsLoopback(): boolean {
  // Next puts the value of the build in this very expression.
  return process.env.NODE_ENV !== "production" && env().LECTERN_ALLOW_LOOPBACK === "1";
}
