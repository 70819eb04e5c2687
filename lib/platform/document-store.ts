import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { defaultDocumentLimits } from "@/lib/domain/document";
import { documentError } from "@/lib/domain/document-failure";
import { notFound } from "@/lib/domain/errors";
import type { Sealer, SealPlace } from "./seal";

/** A stored object: its random key (`newObjectKey`), and the place that it is sealed to. */
export type ObjectRef = { key: string; environment: string; purpose: "original" | "page-image" };

/** Where documents lie: files in the data folder, or later S3. Objects are sealed before they leave the process. */
export type ObjectStore = {
  /**
   * Stores a stream in constant memory; nothing is left behind when it fails. Bytes and hash are of the content.
   * Throws DocumentError `too_large` past `maxBytes`, or the signal's reason.
   */
  put(
    ref: ObjectRef,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /** Throws `not_found`; the stream fails where the stored bytes were changed. */
  read(ref: ObjectRef): Promise<Readable>;
  /** Deletes an object; one that is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** The keys of all objects that have lain there for longer than `olderThanMs`. */
  keys(olderThanMs: number): AsyncIterable<string>;
};

const keyPattern = /^[0-9a-f]{32}$/;
const abandonedMs = 24 * 60 * 60 * 1000;

/** A random name; the name that a person gave a file is never part of a path. */
export function newObjectKey(): string {
  return randomBytes(16).toString("hex");
}

/** Sealed files under `folder`: written to a temporary file, flushed, then renamed, so that an object is there whole or not at all. */
export function createFileStore({ folder, sealer }: { folder: string; sealer: Sealer }): ObjectStore {
  const incoming = path.join(folder, "incoming");
  const ready = prepare(incoming);
  ready.catch(() => undefined); // each call awaits it and reports

  async function read(ref: ObjectRef): Promise<Readable> {
    const file = await open(fileOf(folder, ref.key)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? notFound("document") : error;
    });
    const plain = new PassThrough();
    pipeline(file.createReadStream(), sealer.openStream(placeOf(ref)), plain).catch(() => undefined); // the error destroys `plain` too
    return plain;
  }

  return {
    read,
    async put(ref, content, { maxBytes, signal }) {
      await ready;
      const target = fileOf(folder, ref.key);
      const temporary = path.join(incoming, newObjectKey());
      const meter = createMeter(maxBytes);
      try {
        const file = createWriteStream(temporary, { mode: 0o600, flags: "wx", flush: true });
        await pipeline(content, meter.stream, sealer.sealStream(placeOf(ref)), file, { signal });
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await rename(temporary, target);
        await flushFolder(path.dirname(target));
      } catch (error) {
        await rm(temporary, { force: true });
        signal?.throwIfAborted();
        throw error;
      }
      return meter.result();
    },
    async delete(key) {
      await rm(fileOf(folder, key), { force: true });
    },
    keys: (olderThanMs) => keysIn(folder, olderThanMs),
  };
}

async function* keysIn(folder: string, olderThanMs: number): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile() || !keyPattern.test(entry.name) || path.basename(entry.parentPath) === "incoming") continue;
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > olderThanMs) yield entry.name;
  }
}

/** Where an object's file lies. Throws RangeError for what is no key. */
export function fileOf(folder: string, key: string): string {
  if (!keyPattern.test(key)) throw new RangeError("An object key is 32 hexadecimal digits.");
  return path.join(folder, key.slice(0, 2), key);
}

export function placeOf({ key, environment, purpose }: ObjectRef): SealPlace {
  return { environment, object: key, purpose };
}

/** Makes the folder, and clears what a killed process left half written. */
async function prepare(incoming: string) {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    const age = await stat(file).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > abandonedMs) await rm(file, { force: true });
  }
}

/** A rename is durable only once its folder is. */
async function flushFolder(folder: string) {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function createMeter(maxBytes: number) {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > maxBytes) return done(documentError("too_large", { limits: { ...defaultDocumentLimits, maxBytes } }));
      hash.update(piece);
      done(null, piece);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}
