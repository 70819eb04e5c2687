import "server-only";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { FieldRefused } from "@/lib/domain/gateway-chat";
import { log } from "./log";
import { PRIVATE_HEADERS } from "./problem";

type Shape = { status: number; type: string; code: string };

// https://platform.openai.com/docs/guides/error-codes: its clients try 408, 409, 429 and 5xx again, after Retry-After.
const SHAPE: Record<ErrorCode, Shape> = {
  bad_request: { status: 400, type: "invalid_request_error", code: "bad_request" },
  invalid_input: { status: 400, type: "invalid_request_error", code: "invalid_value" },
  unauthenticated: { status: 401, type: "authentication_error", code: "invalid_api_key" },
  sign_in_again: { status: 401, type: "authentication_error", code: "sign_in_again" },
  forbidden: { status: 403, type: "permission_error", code: "forbidden" },
  not_found: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  method_not_allowed: { status: 405, type: "invalid_request_error", code: "method_not_allowed" },
  conflict: { status: 400, type: "invalid_request_error", code: "ambiguous_model" }, // 409 would be tried again, in vain
  expired: { status: 410, type: "invalid_request_error", code: "expired" },
  too_large: { status: 413, type: "invalid_request_error", code: "request_too_large" },
  unsupported_type: { status: 415, type: "invalid_request_error", code: "unsupported_media_type" },
  unprocessable: { status: 400, type: "invalid_request_error", code: "unprocessable" },
  rate_limited: { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  unavailable: { status: 503, type: "server_error", code: "engine_unavailable" },
  upstream_failed: { status: 502, type: "server_error", code: "engine_failed" },
};

type Failure = Shape & { message: string; param: string | null; retryAfterSeconds: number | undefined };

function failureOf(error: unknown, requestId: string): Failure {
  if (error instanceof DomainError) return { ...SHAPE[error.code], message: error.message, param: error instanceof FieldRefused ? error.param : null, retryAfterSeconds: error.retryAfterSeconds };
  log().error({ requestId, kind: error instanceof Error ? error.name : typeof error, message: error instanceof Error ? error.message.slice(0, 300) : "" }, "gateway");
  const message = `Something failed inside Lectern. The server log has the cause under the request id ${requestId}.`;
  return { status: 500, type: "server_error", code: "internal", message, param: null, retryAfterSeconds: undefined };
}

function headersOf({ retryAfterSeconds }: Failure, requestId: string): Record<string, string> {
  const headers = { ...PRIVATE_HEADERS, "X-Request-Id": requestId };
  return retryAfterSeconds === undefined ? headers : { ...headers, "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) };
}

/** A failure as OpenAI's API tells it: `{ error: { message, type, param, code } }`. */
export function openAiError(error: unknown, requestId: string): Response {
  const failure = failureOf(error, requestId);
  const { message, type, param, code } = failure;
  return Response.json({ error: { message, type, param, code } }, { status: failure.status, headers: headersOf(failure, requestId) });
}

/** The same inside a stream that has begun, after which it ends. */
export function openAiErrorEvent(error: unknown, requestId: string): string {
  const { message, type, param, code } = failureOf(error, requestId);
  return `data: ${JSON.stringify({ error: { message, type, param, code } })}\n\n`;
}

/** A failure as Mistral's API tells it: 422 with `detail` for a wrong field, else `{ object: "error", message, type, param, code }`. */
export function mistralError(error: unknown, requestId: string): Response {
  const failure = failureOf(error, requestId);
  const { message, type, param, code, status } = failure;
  const headers = headersOf(failure, requestId);
  if (error instanceof FieldRefused) {
    const detail = [{ loc: ["body", ...(param?.split(".") ?? [])], msg: message, type: code }];
    return Response.json({ detail }, { status: 422, headers });
  }
  return Response.json({ object: "error", message, type, param, code, raw_status_code: status }, { status, headers });
}
