import "server-only";
import { Readable, pipeline } from "node:stream";
import { createInflateRaw, inflateRawSync } from "node:zlib";
import { DomainError } from "@/lib/domain/errors";

/** One file of an archive, unpacked to its declared size and no further: whole with `read`, in constant memory with `pieces`. */
export type ZipEntry = { name: string; bytes: number; read(): Buffer; pieces(): AsyncIterable<Uint8Array> };

/** Where an archive lies: any part of it at once, for its directory, and a longer part piece by piece. */
export type ZipSource = { byteLength: number; read(start: number, end: number): Buffer; pieces(start: number, end: number): AsyncIterable<Uint8Array> };

export type ZipLimits = { maxEntries: number; maxBytes: number; maxEntryBytes: number };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_RATIO = 200; // of text a zip makes a fifth; only bombs are packed 200 times smaller

/**
 * The files of a zip archive (PKWARE APPNOTE 6.3), counted and weighed by its directory before anything is unpacked. Refuses the whole archive,
 * with `unprocessable` or `too_large`: paths that lead out, links, encryption, zip64, overlapping entries, more than the limits.
 */
export function readZip(from: Buffer | ZipSource, limits: ZipLimits): ZipEntry[] {
  const archive = Buffer.isBuffer(from) ? inMemory(from) : from;
  const { count, at } = directoryOf(archive);
  if (count > limits.maxEntries) throw new DomainError("too_large", `The archive has ${count} entries; at most ${limits.maxEntries} are taken.`);
  const entries: (ZipEntry & { start: number; end: number })[] = [];
  let total = 0;
  let offset = at;
  for (let index = 0; index < count; index += 1) {
    const header = headerAt(archive, offset);
    offset = header.next;
    if (header.name.endsWith("/")) continue;
    assertHarmless(header);
    total += header.bytes;
    if (header.bytes > limits.maxEntryBytes || total > limits.maxBytes) throw new DomainError("too_large", `The archive unpacks to more than ${Math.round(limits.maxBytes / 1024 / 1024)} MB, or holds a file larger than ${Math.round(limits.maxEntryBytes / 1024 / 1024)} MB.`);
    const span = contentOf(archive, header);
    entries.push({ name: header.name, bytes: header.bytes, ...span, read: () => unpack(archive.read(span.start, span.end), header), pieces: () => unpackPieces(archive.pieces(span.start, span.end), header) });
  }
  const sorted = [...entries].sort((a, b) => a.start - b.start);
  if (sorted.some((entry, index) => entry.start < (sorted[index - 1]?.end ?? 0))) throw damaged();
  return entries.map(({ name, bytes, read, pieces }) => ({ name, bytes, read, pieces }));
}

function inMemory(archive: Buffer): ZipSource {
  const read = (start: number, end: number) => archive.subarray(start, end);
  return { byteLength: archive.byteLength, read, pieces: (start, end) => Readable.from([read(start, end)]) };
}

type Header = { name: string; method: number; flags: number; packed: number; bytes: number; local: number; mode: number; next: number };

function damaged(): DomainError {
  return new DomainError("unprocessable", "The archive is damaged or not a zip file. Pack it again.");
}

const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;

function directoryOf(archive: ZipSource): { count: number; at: number } {
  const tail = archive.read(Math.max(0, archive.byteLength - END_BYTES - LONGEST_COMMENT), archive.byteLength);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END) continue;
    const count = tail.readUInt16LE(at + 10);
    const start = tail.readUInt32LE(at + 16);
    if (count === 0xffff || start === 0xffffffff) throw new DomainError("unprocessable", "The archive uses zip64. Split it into smaller archives.");
    return { count, at: start };
  }
  throw damaged();
}

const HEADER_BYTES = 46;

function headerAt(archive: ZipSource, at: number): Header {
  const head = archive.read(at, Math.min(at + HEADER_BYTES, archive.byteLength));
  if (head.byteLength < HEADER_BYTES || head.readUInt32LE(0) !== CENTRAL) throw damaged();
  const [name, extra, comment] = [head.readUInt16LE(28), head.readUInt16LE(30), head.readUInt16LE(32)];
  return {
    name: archive.read(at + HEADER_BYTES, Math.min(at + HEADER_BYTES + name, archive.byteLength)).toString("utf8"),
    flags: head.readUInt16LE(8),
    method: head.readUInt16LE(10),
    packed: head.readUInt32LE(20),
    bytes: head.readUInt32LE(24),
    mode: head.readUInt32LE(38) >>> 16,
    local: head.readUInt32LE(42),
    next: at + HEADER_BYTES + name + extra + comment,
  };
}

function assertHarmless({ name, flags, method, packed, bytes, mode }: Header): void {
  const isOutside = /^[/\\]|^[A-Za-z]:|\0/.test(name) || name.split(/[/\\]/).includes("..");
  if (isOutside) throw new DomainError("unprocessable", "The archive holds a path that leads out of it. Pack the files again, with plain relative names.");
  if ((mode & 0o170000) === 0o120000) throw new DomainError("unprocessable", "The archive holds a link. Pack the files themselves.");
  if (flags & 1) throw new DomainError("unprocessable", "The archive is encrypted. Pack it without a password.");
  if (method !== 0 && method !== 8) throw new DomainError("unprocessable", "The archive uses a compression other than deflate. Pack it as a plain zip.");
  if (bytes > 1_000_000 && bytes > packed * MAX_RATIO) throw new DomainError("too_large", "The archive holds a file that is packed more than 200 times smaller than it is; no document is.");
}

function contentOf(archive: ZipSource, { local, packed }: Header): { start: number; end: number } {
  if (local + 30 > archive.byteLength) throw damaged();
  const head = archive.read(local, local + 30);
  if (head.readUInt32LE(0) !== LOCAL) throw damaged();
  const start = local + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + packed > archive.byteLength) throw damaged();
  return { start, end: start + packed };
}

function unpack(content: Buffer, { method, bytes }: Header): Buffer {
  try {
    const plain = method === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(1, bytes) });
    if (plain.byteLength === bytes) return plain;
  } catch {
    // said below
  }
  throw damaged();
}

async function* unpackPieces(packed: AsyncIterable<Uint8Array>, { method, bytes }: Header): AsyncGenerator<Uint8Array> {
  const content = Readable.from(packed);
  let left = bytes;
  const plain = method === 0 ? content : pipeline(content, createInflateRaw(), () => undefined); // its error comes out of the iteration
  try {
    for await (const piece of plain as AsyncIterable<Uint8Array>) {
      left -= piece.byteLength;
      if (left < 0) break;
      yield piece;
    }
  } catch {
    throw damaged();
  }
  if (left !== 0) throw damaged();
}
