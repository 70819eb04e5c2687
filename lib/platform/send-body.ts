import "server-only";
import { DomainError } from "@/lib/domain/errors";
import type { SendResponse } from "./transport";

/** The largest answer that is read as a whole. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** Reads an answer to its end as text. Rejects with DomainError `too_large` past the limit, and stops reading there. */
export async function readText(response: SendResponse, limitBytes = maxBodyBytes): Promise<string> {
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
