import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readSync } from "node:fs";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { DomainError } from "@/lib/domain/errors";

/** Bytes too many for memory, needed once. Any part can be read; `close` gives the space back. */
export type ScratchFile = { byteLength: number; read(start: number, end: number): Buffer; pieces(start: number, end: number): AsyncIterable<Uint8Array>; close(): void };

const CIPHER = "aes-256-ctr"; // any place of it can be opened without what stands before
const BLOCK = 16;
const PIECE = 256 * 1024;

/**
 * Keeps a stream in a file of `folder` that has no name from its first byte on, sealed under a key that only this process has: nothing of it is
 * there after the process. Throws `too_large` past `maxBytes`, or the signal's reason.
 */
export async function keepInScratch(folder: string, content: AsyncIterable<Uint8Array>, { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal }): Promise<ScratchFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.join(folder, randomBytes(16).toString("hex"));
  const file = await open(name, "wx+", 0o600);
  try {
    await rm(name);
    const key = randomBytes(32);
    const cipher = createCipheriv(CIPHER, key, counterAt(0));
    let byteLength = 0;
    for await (const piece of content) {
      signal?.throwIfAborted();
      byteLength += piece.byteLength;
      if (byteLength > maxBytes) throw new DomainError("too_large", `The archive is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB. Split it.`);
      await file.appendFile(cipher.update(piece));
    }
    return scratchFile(file, { key, byteLength });
  } catch (error) {
    await file.close();
    throw error;
  }
}

function scratchFile(file: FileHandle, { key, byteLength }: { key: Buffer; byteLength: number }): ScratchFile {
  function read(start: number, end: number): Buffer {
    const first = start - (start % BLOCK);
    const sealed = Buffer.alloc(Math.max(0, Math.min(end, byteLength) - first));
    const got = readSync(file.fd, sealed, 0, sealed.byteLength, first);
    return createDecipheriv(CIPHER, key, counterAt(first / BLOCK)).update(sealed.subarray(0, got)).subarray(start - first);
  }
  async function* pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += PIECE) yield read(at, Math.min(at + PIECE, end));
  }
  return { byteLength, read, pieces, close: () => void file.close() };
}

/** The key is used for one file only, so that the counter may begin with nothing. */
function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK);
  counter.writeBigUInt64BE(BigInt(block), BLOCK / 2);
  return counter;
}
