import { DomainError, type ErrorCode } from "./errors";

/** Why an engine did not read a page. */
export type EngineReason = "rejected" | "context_exceeded" | "unauthorised" | "no_such_model" | "busy" | "too_slow" | "engine_failed" | "broken_answer";

const meaning: Record<EngineReason, { code: ErrorCode; canRetry: boolean; sentence: string }> = {
  rejected: {
    code: "unprocessable",
    canRetry: false,
    sentence: "The engine refused the page picture; read the page with another preset or check that the deployment serves this model.",
  },
  context_exceeded: {
    code: "unprocessable",
    canRetry: false,
    sentence: "The page needs more tokens than the engine's context holds; use the fast preset or deploy with a longer context.",
  },
  unauthorised: {
    code: "upstream_failed",
    canRetry: false,
    sentence: "The engine refused its API key; deploy again or ask an administrator to check the engine's key.",
  },
  no_such_model: {
    code: "upstream_failed",
    canRetry: false,
    sentence: "The engine does not serve this model under this name; check the deployment's served model name.",
  },
  busy: { code: "unavailable", canRetry: true, sentence: "The engine is overloaded or still starting; try again in a moment." },
  too_slow: {
    code: "upstream_failed",
    canRetry: false, // the same page would take as long again
    sentence: "The engine, or a proxy before it, gave the page up because it took too long; read it with the fast preset, or raise the time limit there.",
  },
  engine_failed: {
    code: "upstream_failed",
    canRetry: true,
    sentence: "The engine failed while reading the page; try again, and look at the deployment's logs if it goes on.",
  },
  broken_answer: {
    code: "upstream_failed",
    canRetry: true,
    sentence: "The engine's answer broke off before its end; read the page again.",
  },
};

/** An engine's refusal or failure. The engine's own words are never part of the message: they may quote the document. */
export class EngineError extends DomainError {
  readonly reason: EngineReason;
  /** Whether the same request may succeed later. */
  readonly canRetry: boolean;

  constructor(reason: EngineReason, extra: { code?: ErrorCode; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(extra.code ?? meaning[reason].code, meaning[reason].sentence, extra);
    this.name = "EngineError";
    this.reason = reason;
    this.canRetry = meaning[reason].canRetry;
  }
}

// vLLM: "maximum context length is …" and "decoder prompt (length …) is longer than the maximum model length of …".
const contextWords = /context length|maximum model length|max_model_len/i;

/** The failure for a status other than 2xx, or for the `code` of an error inside a stream; `body` is only looked at, never quoted. */
export function engineErrorOf(status: number, body: string, retryAfterSeconds?: number): EngineError {
  switch (status) {
    case 401:
    case 403:
      return new EngineError("unauthorised");
    case 404:
      return new EngineError("no_such_model");
    case 429:
      return new EngineError("busy", { code: "rate_limited", retryAfterSeconds });
    case 504:
      return new EngineError("too_slow");
    case 502:
    case 503:
      return new EngineError("busy", { retryAfterSeconds });
    default:
      if (status >= 500) return new EngineError("engine_failed");
      return new EngineError(contextWords.test(body) ? "context_exceeded" : "rejected");
  }
}

const maxRetryAfterSeconds = 600;

/** Seconds from a Retry-After header, which holds seconds or a date; undefined when there is none that makes sense. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - nowMs) / 1000);
  return Number.isFinite(seconds) ? Math.min(maxRetryAfterSeconds, Math.max(0, seconds)) : undefined;
}
