import "server-only";
import { DomainError } from "@/lib/domain/errors";

/** The bytes of a request's JSON as they came, up to `maxBytes`. Throws `unsupported_type` or `too_large`. */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer[]> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new DomainError("unsupported_type", "Send the request as JSON, with the header Content-Type: application/json.");
  const tooLarge = () => new DomainError("too_large", `The request is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB. Send a smaller picture, or fewer pages.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      throw tooLarge();
    }
    pieces.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
  }
  return pieces;
}
