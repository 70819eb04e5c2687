import "server-only";
import { inflateRawSync } from "node:zlib";
import { DomainError } from "@/lib/domain/errors";

/** One file of an archive; `read` unpacks it, to its declared size and no further. */
export type ZipEntry = { name: string; bytes: number; read(): Buffer };

export type ZipLimits = { maxEntries: number; maxBytes: number; maxEntryBytes: number };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_RATIO = 200; // of text a zip makes a fifth; only bombs are packed 200 times smaller

/**
 * The files of a zip archive (PKWARE APPNOTE 6.3), counted and weighed by its directory before anything is unpacked. Refuses the whole archive,
 * with `unprocessable` or `too_large`: paths that lead out, links, encryption, zip64, overlapping entries, more than the limits.
 */
export function readZip(archive: Buffer, limits: ZipLimits): ZipEntry[] {
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
    entries.push({ name: header.name, bytes: header.bytes, ...span, read: () => unpack(archive.subarray(span.start, span.end), header) });
  }
  const sorted = [...entries].sort((a, b) => a.start - b.start);
  if (sorted.some((entry, index) => entry.start < (sorted[index - 1]?.end ?? 0))) throw damaged();
  return entries.map(({ name, bytes, read }) => ({ name, bytes, read }));
}

type Header = { name: string; method: number; flags: number; packed: number; bytes: number; local: number; mode: number; next: number };

function damaged(): DomainError {
  return new DomainError("unprocessable", "The archive is damaged or not a zip file. Pack it again.");
}

function directoryOf(archive: Buffer): { count: number; at: number } {
  const from = Math.max(0, archive.byteLength - 22 - 65_535);
  for (let at = archive.byteLength - 22; at >= from; at -= 1) {
    if (archive.readUInt32LE(at) !== END) continue;
    const count = archive.readUInt16LE(at + 10);
    const start = archive.readUInt32LE(at + 16);
    if (count === 0xffff || start === 0xffffffff) throw new DomainError("unprocessable", "The archive uses zip64. Split it into smaller archives.");
    return { count, at: start };
  }
  throw damaged();
}

function headerAt(archive: Buffer, at: number): Header {
  if (at + 46 > archive.byteLength || archive.readUInt32LE(at) !== CENTRAL) throw damaged();
  const [name, extra, comment] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30), archive.readUInt16LE(at + 32)];
  return {
    name: archive.subarray(at + 46, at + 46 + name).toString("utf8"),
    flags: archive.readUInt16LE(at + 8),
    method: archive.readUInt16LE(at + 10),
    packed: archive.readUInt32LE(at + 20),
    bytes: archive.readUInt32LE(at + 24),
    mode: archive.readUInt32LE(at + 38) >>> 16,
    local: archive.readUInt32LE(at + 42),
    next: at + 46 + name + extra + comment,
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

function contentOf(archive: Buffer, { local, packed }: Header): { start: number; end: number } {
  if (local + 30 > archive.byteLength || archive.readUInt32LE(local) !== LOCAL) throw damaged();
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
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
