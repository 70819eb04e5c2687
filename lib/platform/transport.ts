import "server-only";

/** One outbound HTTP request, relative to the origin that a `Send` was made for. */
export type SendRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  /** Pieces are sent one after the other, without being put together first. */
  body?: string | Uint8Array | readonly Uint8Array[];
  signal?: AbortSignal;
  /** Milliseconds until the response headers must have come; the body may stream for longer. */
  timeoutMs?: number;
};

/** The answer; header names are lower case. The body must be read to its end or `cancel`led. */
export type SendResponse = {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  cancel(): void;
};

/** Sends one request over a kept-alive connection. Rejects with DomainError `unavailable` when nothing answers. */
export type Send = (request: SendRequest) => Promise<SendResponse>;
