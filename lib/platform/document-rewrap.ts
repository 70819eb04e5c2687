import "server-only";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileOf, newObjectKey, placeOf, type ObjectRef } from "./document-store";
import { keyIdOf, type Sealer } from "./seal";

const HEAD_BYTES = 1024;

/** The master key that a stored object needs; null when there is no such object. */
export async function storedKeyId(folder: string, key: string): Promise<string | null> {
  const head = await headOf(fileOf(folder, key));
  return head && keyIdOf(head);
}

/**
 * Has the present master key wrap a stored object's data key; the content is copied as it is, sealed, and who reads the old file reads it to its end.
 * False when that was so already or the object is gone. Throws when the object cannot be opened.
 */
export async function rewrapStored({ folder, sealer }: { folder: string; sealer: Sealer }, ref: ObjectRef): Promise<boolean> {
  const file = fileOf(folder, ref.key);
  const head = await headOf(file);
  const change = head && sealer.rewrap(head, "stream", placeOf(ref));
  if (!change) return false;
  const temporary = path.join(folder, "incoming", newObjectKey());
  try {
    const copy = createWriteStream(temporary, { mode: 0o600, flags: "wx", flush: true });
    copy.write(change.header);
    await pipeline(createReadStream(file, { start: change.replaces }), copy);
    if (!(await headOf(file))) return false; // deleted meanwhile
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

async function headOf(file: string): Promise<Buffer | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!handle) return null;
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES) }).finally(() => handle.close());
  return buffer.subarray(0, bytesRead);
}
