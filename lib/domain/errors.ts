/** The closed list of failure kinds; `lib/platform/http.ts` maps each to exactly one HTTP status. */
export type ErrorCode =
  | "bad_request"
  | "invalid_input"
  | "unauthenticated"
  | "sign_in_again"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "expired"
  | "too_large"
  | "unsupported_type"
  | "unprocessable"
  | "rate_limited"
  | "unavailable"
  | "upstream_failed";

/** One wrong input field: where it is, and a sentence that says what is wrong and what to do. */
export type FieldError = { path: string; message: string };

/**
 * A failure that a person can act on. The message is one sentence naming the cause and the remedy; it is shown as it is,
 * so it never carries document text, tokens or credentials.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  /** Seconds after which trying again may help; set on `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, extra: { fields?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: extra.cause });
    this.name = "DomainError";
    this.code = code;
    this.fields = extra.fields ?? [];
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

/** The answer for a thing that is missing or that the caller may not see: the two look the same on purpose. */
export function notFound(what: string): DomainError {
  return new DomainError("not_found", `There is no such ${what}, or you have no access to it.`);
}
