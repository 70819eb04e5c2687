import type { Db } from "@/lib/platform/db";

const [WIDTH, HEIGHT] = [48, 64];

/** A TIFF of many small grey pages, so that drawing them costs next to nothing. */
export function makeTiff(pages: number): Uint8Array {
  const fields = 8;
  const directoryBytes = 2 + fields * 12 + 4;
  const pictureBytes = WIDTH * HEIGHT;
  const file = Buffer.alloc(8 + pages * (directoryBytes + pictureBytes), 0xee);
  file.write("II", 0, "latin1");
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(8, 4);
  for (let page = 0; page < pages; page += 1) {
    const at = 8 + page * (directoryBytes + pictureBytes);
    const picture = at + directoryBytes;
    // width, height, bits, no compression, black is zero, where the strip begins, rows in it, its bytes
    const values = [[256, WIDTH], [257, HEIGHT], [258, 8], [259, 1], [262, 1], [273, picture], [278, HEIGHT], [279, pictureBytes]];
    file.writeUInt16LE(fields, at);
    for (const [index, [tag = 0, value = 0]] of values.entries()) {
      const field = at + 2 + index * 12;
      file.writeUInt16LE(tag, field);
      file.writeUInt16LE(4, field + 2);
      file.writeUInt32LE(1, field + 4);
      file.writeUInt32LE(value, field + 8);
    }
    file.writeUInt32LE(page === pages - 1 ? 0 : picture + pictureBytes, at + directoryBytes - 4);
  }
  return file;
}

/** More documents with the same stored file: rows only. Answers their ids. */
export async function copyDocument(db: Db, id: string, copies: number): Promise<string[]> {
  const { id: _id, ...row } = await db.document.findUniqueOrThrow({ where: { id } });
  const data = Array.from({ length: copies }, () => ({ ...row, pages: row.pages ?? [] }));
  const made = await db.document.createManyAndReturn({ data, select: { id: true } });
  return made.map((each) => each.id);
}
