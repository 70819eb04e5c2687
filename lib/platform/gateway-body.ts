import "server-only";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { DomainError } from "@/lib/domain/errors";

/** A request's JSON, read up to `maxBytes`. Throws `unsupported_type`, `too_large`, or `bad_request` for what is not JSON. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new DomainError("unsupported_type", "Send the request as JSON, with the header Content-Type: application/json.");
  const tooLarge = new DomainError("too_large", `The request is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB. Send a smaller picture, or fewer pages.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge;
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (request.body) {
    for await (const piece of Readable.fromWeb(request.body as NodeStream) as AsyncIterable<Buffer>) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge;
      pieces.push(piece);
    }
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new DomainError("bad_request", "The body is not JSON.");
  }
}
