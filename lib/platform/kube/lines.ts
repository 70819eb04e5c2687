import "server-only";
import { DomainError } from "@/lib/domain/errors";

const maxLineLength = 10 * 1024 * 1024;

/** Text lines of a byte stream; the last one may lack its newline. Throws DomainError `too_large` for a line of more than 10 Mi characters. */
export async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > maxLineLength) throw new DomainError("too_large", "The cluster sent a line of more than 10 MiB.");
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
