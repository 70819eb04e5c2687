import "server-only";
import { DomainError } from "@/lib/domain/errors";

const sentences: Record<string, string> = {
  ECONNREFUSED: "refused the connection: check that it runs and that the port is right.",
  ECONNRESET: "closed the connection.",
  EPIPE: "closed the connection.",
  ENOTFOUND: "is not a known host name: check the spelling.",
  EAI_AGAIN: "could not be looked up: the name server does not answer.",
  ETIMEDOUT: "does not answer: check the network path and firewall.",
  EHOSTUNREACH: "cannot be reached from here: check the network path.",
  ENETUNREACH: "cannot be reached from here: check the network path.",
  CERT_HAS_EXPIRED: "shows a certificate that has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "shows a certificate for another name: check the server address.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "shows a certificate that the given CA did not sign: give the cluster's own CA.",
  SELF_SIGNED_CERT_IN_CHAIN: "shows a certificate that the given CA did not sign: give the cluster's own CA.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "shows a certificate that the given CA did not sign: give the cluster's own CA.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "shows a certificate that the given CA did not sign: give the cluster's own CA.",
  HPE_HEADER_OVERFLOW: "answered with headers that are too large.",
};

/** A broken connection as one sentence; what the other side wrote is never repeated. */
export function connectionError(error: unknown, host: string): DomainError {
  if (error instanceof DomainError) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const sentence =
    sentences[code] ?? (code.startsWith("ERR_SSL") || code === "EPROTO" ? "does not speak TLS on this port." : "broke the connection.");
  return new DomainError("unavailable", `${host} ${sentence}`, { cause: error, retryAfterSeconds: 5 });
}
