import "server-only";

/** vLLM's error kinds, as they stand in `error.type` (docs.vllm.ai, OpenAI-compatible server). */
export type ErrorType =
  "BadRequestError" | "NotFoundError" | "MethodNotAllowed" | "RequestEntityTooLarge" | "ServiceUnavailableError" | "GatewayTimeoutError" | "InternalServerError";

const STATUS: Record<ErrorType, number> = {
  BadRequestError: 400,
  NotFoundError: 404,
  MethodNotAllowed: 405,
  RequestEntityTooLarge: 413,
  InternalServerError: 500,
  ServiceUnavailableError: 503,
  GatewayTimeoutError: 504,
};

/** A refusal or failure of the engine that goes to the client as it is; the message never carries text of the page. */
export class EngineError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly param: string | null;

  constructor(type: ErrorType, message: string, extra: { param?: string; cause?: unknown } = {}) {
    super(message, { cause: extra.cause });
    this.name = "EngineError";
    this.type = type;
    this.status = STATUS[type];
    this.param = extra.param ?? null;
  }

  body(): { error: { message: string; type: ErrorType; param: string | null; code: number } } {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.status } };
  }
}
