import "server-only";
import { createTransport } from "nodemailer";
import { DomainError } from "@/lib/domain/errors";
import { env } from "./env";

const TIMEOUT_MS = 15_000;

export type Mail = { to: string; subject: string; text: string; /** the same message sent twice carries the same id */ id: string };

/** Whether the installation has a mail server. */
export function hasMail(): boolean {
  return env().SMTP_HOST !== undefined;
}

/** Hands one plain-text message to the mail server. Throws `unprocessable` without one, `upstream_failed` when it did not take the message. */
export async function sendMail({ to, subject, text, id }: Mail): Promise<void> {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_SECURITY: security, SMTP_USER: user, SMTP_PASSWORD: pass, SMTP_FROM: from } = env();
  if (host === undefined) throw new DomainError("unprocessable", "There is no mail server: set SMTP_HOST, or use a webhook.");
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user === undefined ? {} : { auth: { user, pass: pass ?? "" } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const line = subject.replace(/\s+/g, " ").slice(0, 200);
  try {
    await transport.sendMail({ from, to, subject: line, text, messageId: `<${id}@lectern>`, headers: { "Auto-Submitted": "auto-generated" } });
  } catch (error) {
    throw new DomainError("upstream_failed", refusal(error), { cause: error });
  } finally {
    transport.close();
  }
}

/** What went wrong as one sentence; what the server wrote is not repeated, as it may quote the message. */
function refusal(error: unknown): string {
  const code = typeof error === "object" && error !== null && "responseCode" in error ? ` with ${String(error.responseCode)}` : "";
  const kind = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (kind === "EAUTH") return `The mail server did not accept the sign-in${code}: check SMTP_USER and SMTP_PASSWORD.`;
  if (kind === "ETLS") return "The mail server offers no TLS: check SMTP_SECURITY.";
  if (kind === "EENVELOPE") return `The mail server refused the sender or the address${code}.`;
  return code ? `The mail server refused the message${code}.` : "The mail server cannot be reached: check SMTP_HOST and SMTP_PORT.";
}
