import "server-only";
import { deflateRawSync } from "node:zlib";

export type ZipEntry = { name: string; bytes: Uint8Array };

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const MIDNIGHT_1980 = 0x00210000; // the time is left out: the same content makes the same file

type Facts = { name: Buffer; crc: number; packed: number; size: number };

function fields({ crc, packed, size, name }: Facts): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  part.writeUInt16LE(UTF8_NAMES, 2);
  part.writeUInt16LE(DEFLATED, 4);
  part.writeUInt32LE(MIDNIGHT_1980, 6);
  part.writeUInt32LE(crc, 10);
  part.writeUInt32LE(packed, 14);
  part.writeUInt32LE(size, 18);
  part.writeUInt16LE(name.length, 22);
  return part;
}

/** A ZIP archive (APPNOTE 6.3, without ZIP64: below 4 GiB and 65,535 entries). */
export function zip(entries: readonly ZipEntry[]): Uint8Array {
  const body: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = deflateRawSync(entry.bytes);
    const facts = { name: Buffer.from(entry.name), crc: crc32(entry.bytes), packed: data.length, size: entry.bytes.byteLength };
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), fields(facts), facts.name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), fields(facts), tail, facts.name]));
    body.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...body, index, end]);
}
