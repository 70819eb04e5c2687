import "server-only";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { defaultDocumentLimits } from "@/lib/domain/document";
import { documentError } from "@/lib/domain/document-failure";
import { DomainError } from "@/lib/domain/errors";
import type { ObjectStore } from "./document-store";
import { memory } from "./memory-vault";

/** What documents that are never stored may hold of the process's memory together. */
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/** Objects in this process's memory: nothing is written anywhere, and everything is gone when the process ends. */
export function memoryStore(): ObjectStore {
  const { objects, seenAt } = memory();

  function bytesOf(key: string): Uint8Array {
    const bytes = objects.get(key);
    if (!bytes) throw new DomainError("expired", "The document was only in memory and is gone: its tab was closed, or Lectern was started again. Upload it again.");
    return bytes;
  }

  return {
    async put({ key }, content, { maxBytes, signal }) {
      const pieces: Uint8Array[] = [];
      const hash = createHash("sha256");
      const held = [...objects.values()].reduce((sum, each) => sum + each.byteLength, 0);
      let bytes = 0;
      for await (const piece of content) {
        signal?.throwIfAborted();
        bytes += piece.byteLength;
        if (bytes > maxBytes) throw documentError("too_large", { limits: { ...defaultDocumentLimits, maxBytes } });
        if (held + bytes > MAX_TOTAL_BYTES) throw new DomainError("unavailable", "The memory for documents that are not stored is full. Try again when others have closed theirs.", { retryAfterSeconds: 60 });
        hash.update(piece);
        pieces.push(piece);
      }
      objects.set(key, new Uint8Array(Buffer.concat(pieces)));
      seenAt.set(key, Date.now());
      return { bytes, sha256: hash.digest("hex") };
    },
    read: async ({ key }) => Readable.from([Buffer.from(bytesOf(key))]),
    async *keys() {
      yield* objects.keys();
    },
    async delete(key) {
      objects.delete(key);
      seenAt.delete(key);
    },
  };
}
