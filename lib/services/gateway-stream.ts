import "server-only";
import { openAiErrorEvent } from "@/lib/platform/gateway-errors";
import { log } from "@/lib/platform/log";
import { PRIVATE_HEADERS } from "@/lib/platform/problem";
import type { SendResponse } from "@/lib/platform/transport";
import type { Gateway } from "./gateway";
import { countReading, dropReading, type TappedReading } from "./gateway-count";

type Begun = { gateway: Gateway; reading: TappedReading; response: SendResponse; bytes: AsyncIterator<Uint8Array>; first: IteratorResult<Uint8Array> };
type Client = { left: AbortController; leave(): void; requestId: string };

/** Passes an engine's answer on as it comes. The page is counted before the client learns that it is complete, or when the client leaves. */
export function streamReading(begun: Begun, client: Client): Response {
  const { left, requestId } = client;
  const end = closing(begun, client);
  left.signal.addEventListener("abort", end, { once: true });
  let next: Promise<IteratorResult<Uint8Array>> | null = Promise.resolve(begun.first);
  const advance = () => {
    const current = next ?? begun.bytes.next();
    next = null;
    return current;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await nextPiece(begun, advance);
          if (piece.isLast) end();
          controller.enqueue(piece.bytes);
          if (piece.isLast) controller.close();
        } catch (error) {
          if (left.signal.aborted) return;
          log().warn({ requestId, kind: error instanceof Error ? error.name : typeof error }, "gateway: an answer broke off");
          dropReading(begun.reading);
          end();
          controller.enqueue(Buffer.from(openAiErrorEvent(error, requestId)));
          controller.close();
        }
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  );
  const headers = { ...PRIVATE_HEADERS, "Cache-Control": "no-store, no-transform", "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", "X-Request-Id": requestId };
  return new Response(body, { headers });
}

async function nextPiece({ gateway, reading }: Begun, advance: () => Promise<IteratorResult<Uint8Array>>): Promise<{ bytes: Uint8Array; isLast: boolean }> {
  for (;;) {
    const next = await advance();
    if (next.done) {
      const bytes = reading.tap.end();
      await countReading(gateway, reading);
      return { bytes, isLast: true };
    }
    const bytes = reading.tap.push(next.value);
    if (bytes) return { bytes, isLast: false };
  }
}

function closing({ reading, response }: Begun, { leave }: Client): () => void {
  return () => {
    response.cancel();
    reading.place.release();
    leave();
  };
}
