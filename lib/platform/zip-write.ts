import "server-only";
import { crc32, deflateRawSync } from "node:zlib";

export type ZipFile = { name: string; content: Uint8Array };

const UTF8 = 0x0800;
const DEFLATE = 8;
const FIRST_DAY = 0x0021; // 1980-01-01, so that equal contents give equal archives

/** A zip archive as a stream, one file at a time (PKWARE APPNOTE 6.3); names are UTF-8 with "/" between parts. Up to 65,534 files and 4 GB. */
export function writeZip(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  const source = pieces(files);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await source.return(undefined)),
  });
}

async function* pieces(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content } of files) {
    const packed = deflateRawSync(content);
    const fields = fieldsOf(content, packed, Buffer.from(name));
    const local = Buffer.concat([uint32(0x04034b50), uint16(20), fields, Buffer.from(name)]);
    directory.push(Buffer.concat([uint32(0x02014b50), uint16(0x0314), uint16(20), fields, uint16(0), uint16(0), uint16(0), uint32(0o100644 * 65536), uint32(offset), Buffer.from(name)]));
    offset += local.byteLength + packed.byteLength;
    yield local;
    yield packed;
  }
  const central = Buffer.concat(directory);
  yield central;
  yield Buffer.concat([uint32(0x06054b50), uint16(0), uint16(0), uint16(directory.length), uint16(directory.length), uint32(central.byteLength), uint32(offset), uint16(0)]);
}

/** The fields that the header in front of a file and its line in the directory share. */
function fieldsOf(content: Uint8Array, packed: Buffer, name: Buffer): Buffer {
  return Buffer.concat([uint16(UTF8), uint16(DEFLATE), uint16(0), uint16(FIRST_DAY), uint32(crc32(content)), uint32(packed.byteLength), uint32(content.byteLength), uint16(name.byteLength), uint16(0)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
