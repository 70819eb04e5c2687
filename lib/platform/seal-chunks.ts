import "server-only";
import { createCipheriv, createDecipheriv } from "node:crypto";
import { Transform } from "node:stream";

// The STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015): the nonce of a chunk is its number and whether it is the
// last one, so that chunks cannot be reordered, dropped or cut off. Numbers may start at 0 because each stream has its own key.
const chunkBytes = 64 * 1024;
const tagBytes = 16;

type StreamKey = { dataKey: Buffer; aad: Buffer };

/** Writes the header, then chunks of 64 KiB with a tag each; the last chunk may be shorter, also empty. */
export function chunkSealer({ header, ...key }: StreamKey & { header: Buffer }): Transform {
  const chunks = createChunker(chunkBytes);
  let number = 0;

  function sealChunk(plaintext: Buffer, isLast: boolean) {
    const cipher = createCipheriv("aes-256-gcm", key.dataKey, nonceOf(number++, isLast)).setAAD(key.aad);
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (const chunk of chunks.add(piece)) stream.push(sealChunk(chunk, false));
      done();
    },
    flush(done) {
      stream.push(sealChunk(chunks.rest(), true));
      done();
    },
  });
  stream.push(header);
  return stream;
}

type OpenerOptions = {
  aad: Buffer;
  /** Null while there are too few bytes for the header. */
  readHeader(start: Buffer): { dataKey: Buffer; headerBytes: number } | null;
  cannotOpen(): Error;
};

/** The reverse of `chunkSealer`: gives out a chunk only after its tag was right, and fails when the last chunk is missing. */
export function chunkOpener({ aad, readHeader, cannotOpen }: OpenerOptions): Transform {
  const chunks = createChunker(chunkBytes + tagBytes);
  let start = Buffer.alloc(0);
  let dataKey: Buffer | null = null;
  let number = 0;

  function openChunk(sealed: Buffer, isLast: boolean) {
    if (!dataKey || sealed.length < tagBytes) throw cannotOpen();
    const end = sealed.length - tagBytes;
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv("aes-256-gcm", dataKey, nonceOf(number++, isLast), options)
      .setAAD(aad)
      .setAuthTag(sealed.subarray(end));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch {
      throw cannotOpen();
    }
  }

  function afterHeader(piece: Buffer): Buffer {
    if (dataKey) return piece;
    start = Buffer.concat([start, piece]);
    const header = readHeader(start);
    if (!header) return Buffer.alloc(0);
    dataKey = header.dataKey;
    return start.subarray(header.headerBytes);
  }

  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      attempt(done, () => {
        for (const chunk of chunks.add(afterHeader(piece))) stream.push(openChunk(chunk, false));
      });
    },
    flush(done) {
      attempt(done, () => stream.push(openChunk(chunks.rest(), true)));
    },
  });
  return stream;
}

function attempt(done: (error?: Error | null) => void, work: () => void) {
  try {
    work();
  } catch (error) {
    return done(error instanceof Error ? error : new Error("The stream failed.", { cause: error }));
  }
  done();
}

/** Cuts pieces of any size into chunks of one size, keeping back at least one byte, since only the end shows which chunk is last. */
function createChunker(size: number) {
  let held: Buffer[] = [];
  let bytes = 0;
  return {
    *add(piece: Buffer) {
      held.push(piece);
      bytes += piece.length;
      if (bytes <= size) return;
      const all = Buffer.concat(held);
      let at = 0;
      for (; all.length - at > size; at += size) yield all.subarray(at, at + size);
      held = [all.subarray(at)];
      bytes = all.length - at;
    },
    rest: () => Buffer.concat(held),
  };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
