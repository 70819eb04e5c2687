import "server-only";
import { DomainError } from "@/lib/domain/errors";
import { readText } from "../send-body";
import type { Send, SendRequest, SendResponse } from "../transport";
import { KubeStatusError } from "./status";

const deadlineMs = 30_000;
const accept = { accept: "application/json" };

/** Sends one call and reads its JSON answer within 30 s. Rejects with KubeStatusError for any status but 2xx. */
export async function callJson<T>(send: Send, request: SendRequest): Promise<{ status: number; body: T }> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  try {
    const response = await send({ ...request, headers: { ...accept, ...request.headers }, signal });
    if (!isSuccess(response)) throw await statusError(response);
    return { status: response.status, body: parse(await readText(response)) as T };
  } catch (error) {
    if (deadline.aborted && !request.signal?.aborted)
      throw new DomainError("unavailable", "The cluster did not answer within 30 s.", { retryAfterSeconds: 5, cause: error });
    throw error;
  }
}

/** Opens a call whose answer is read while it comes. Rejects with KubeStatusError for any status but 2xx. */
export async function openStream(send: Send, request: SendRequest): Promise<SendResponse> {
  const response = await send({ ...request, headers: { ...accept, ...request.headers } });
  if (!isSuccess(response)) throw await statusError(response);
  return response;
}

function isSuccess(response: SendResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

async function statusError(response: SendResponse): Promise<KubeStatusError> {
  const text = await readText(response);
  return new KubeStatusError(response.status, tryParse(text));
}

function parse(text: string): unknown {
  const value = tryParse(text);
  if (value === undefined)
    throw new DomainError(
      "upstream_failed",
      "The cluster answered something that is not JSON: check that the address is a Kubernetes API.",
    );
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
