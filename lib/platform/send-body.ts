import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { SendResponse } from "./transport";

/** The largest answer that is read as a whole. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** How long an answer that is read as a whole may take, from its first byte on. */
const maxBodyMs = 30_000;

/** Reads an answer to its end as text. Rejects with DomainError `too_large` past the limit and `unavailable` past the time, and stops reading there. */
export async function readText(response: SendResponse, limitBytes = maxBodyBytes, limitMs = maxBodyMs): Promise<string> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    response.cancel();
  }, limitMs);
  try {
    return await readParts(response, limitBytes);
  } catch (error) {
    if (isLate) throw new DomainError("unavailable", `The answer did not end within ${limitMs / 1000} s and was not read further.`, { retryAfterSeconds: 5 });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readParts(response: SendResponse, limitBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > limitBytes) {
      response.cancel();
      throw new DomainError(
        "too_large",
        `The answer is larger than ${Math.round(limitBytes / 2 ** 20)} MiB and was not read: ask for less at a time.`,
      );
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
