import "server-only";
import { randomUUID } from "node:crypto";
import { DomainError } from "@/lib/domain/errors";

/** A request's JSON with its long pictures left where they came, as bytes; `lower` puts them into the JSON that goes on. */
export type Lifted = { value: unknown; lower(json: string): Uint8Array[] };

type Span = { pieces: Buffer[]; bytes: number };

const MARK = Buffer.from(";base64,");
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter ones are not worth the search. */
const LEAST_BYTES = 1024;

/**
 * Parses JSON, given in pieces, without making strings of the base64 in it, or even copying it: a page's picture is most of a request, and
 * nothing here looks into it. What stands between the mark and the closing quote of its string is replaced by a key that only this call knows.
 * Throws `bad_request`.
 */
export function liftPictures(body: readonly Buffer[]): Lifted {
  const nonce = randomUUID();
  const spans: Span[] = [];
  const kept: Buffer[] = [];
  let open: Span | null = null;

  function close(span: Span): void {
    const isPlain = span.bytes >= LEAST_BYTES && !span.pieces.some((piece) => piece.includes(BACKSLASH)); // with escapes the quote may not be the string's end
    if (isPlain) kept.push(Buffer.from(`${nonce}${spans.push(span) - 1}#`));
    else kept.push(...span.pieces);
    open = null;
  }

  for (const piece of body) {
    let from = 0;
    while (from < piece.byteLength) {
      const found = open ? piece.indexOf(QUOTE, from) : piece.indexOf(MARK, from);
      const to = found < 0 ? piece.byteLength : open ? found : found + MARK.byteLength;
      const part = piece.subarray(from, to);
      if (open) open = { pieces: [...open.pieces, part], bytes: open.bytes + part.byteLength };
      else kept.push(part);
      if (found >= 0 && open) close(open);
      else if (found >= 0) open = { pieces: [], bytes: 0 };
      from = to;
    }
  }
  if (open) close(open);
  return { value: parse(Buffer.concat(kept)), lower: (json) => lower(json, { nonce, spans }) };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new DomainError("bad_request", "The body is not JSON.");
  }
}

/** The key is the nonce and the span's number, which ends with "#". */
function lower(json: string, { nonce, spans }: { nonce: string; spans: readonly Span[] }): Uint8Array[] {
  const [first = "", ...others] = json.split(nonce);
  const rest = others.flatMap((other) => {
    const end = other.indexOf("#");
    return [...(spans[Number(other.slice(0, end))]?.pieces ?? []), Buffer.from(other.slice(end + 1))];
  });
  return [Buffer.from(first), ...rest];
}
