import "server-only";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { log } from "./log";

const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  invalid_input: 422,
  unauthenticated: 401,
  sign_in_again: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  expired: 410,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
  upstream_failed: 502,
};

const TITLE: Record<ErrorCode, string> = {
  bad_request: "The request is not valid",
  invalid_input: "The input is not valid",
  unauthenticated: "Sign in first",
  sign_in_again: "Sign in again first",
  forbidden: "Not allowed",
  not_found: "Not found",
  method_not_allowed: "Method not allowed",
  conflict: "Conflict",
  expired: "No longer valid",
  too_large: "Too large",
  unsupported_type: "Type not supported",
  unprocessable: "Cannot be processed",
  rate_limited: "Too many requests",
  unavailable: "Not available right now",
  upstream_failed: "The other side failed",
};

/** Headers of every answer with data in it. */
export const PRIVATE_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** An RFC 9457 problem document. Unknown errors are logged with the request id and answered with a general sentence. */
export function problem(error: unknown, requestId: string): Response {
  if (!(error instanceof DomainError)) {
    log().error({ requestId, error: describeError(error) }, "unexpected error");
    return respond({ status: 500, code: "internal", title: "Something failed inside Lectern", detail: `The server log has the cause under the request id ${requestId}.`, requestId });
  }
  const retry = error.retryAfterSeconds === undefined ? undefined : { "Retry-After": String(Math.ceil(error.retryAfterSeconds)) };
  const body = { status: STATUS[error.code], code: error.code, title: TITLE[error.code], detail: error.message, requestId };
  return respond(error.fields.length > 0 ? { ...body, errors: error.fields } : body, retry);
}

function respond(body: { status: number; requestId: string } & Record<string, unknown>, headers?: Record<string, string>): Response {
  return Response.json(
    { type: "about:blank", ...body },
    { status: body.status, headers: { ...PRIVATE_HEADERS, ...headers, "Content-Type": "application/problem+json", "X-Request-Id": body.requestId } },
  );
}

/** Class, code and stack of an error; not its message when that could quote data. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = error.stack?.split("\n").filter((line) => line.trimStart().startsWith("at ")).slice(0, 12);
  return { kind: error.name, code, message: error.message.slice(0, 500), frames };
}
