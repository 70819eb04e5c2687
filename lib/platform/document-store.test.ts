import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileStore, newObjectKey, type ObjectRef, type ObjectStore } from "./document-store";
import { sealer } from "./seal";

const seal = sealer({ id: "k1", key: randomBytes(32) });
let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "lectern-store-"));
  store = createFileStore({ folder, sealer: seal });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const newRef = (): ObjectRef => ({ key: newObjectKey(), environment: "production", purpose: "original" });
const fileOf = ({ key }: ObjectRef) => path.join(folder, key.slice(0, 2), key);
async function* content(...pieces: Uint8Array[]) {
  yield* pieces;
}
async function contentOf(from: ObjectStore, ref: ObjectRef): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await from.read(ref)) pieces.push(piece);
  return Buffer.concat(pieces);
}
async function filesLeft() {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("files in the data folder", () => {
  it("gives back what was put, with its size and hash, and nothing once deleted", async () => {
    const ref = newRef();
    const bytes = randomBytes(300_000);
    const put = await store.put(ref, content(bytes.subarray(0, 7), bytes.subarray(7)), { maxBytes: 300_000 });
    expect(put).toEqual({ bytes: 300_000, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect((await contentOf(store, ref)).equals(bytes)).toBe(true);
    await store.delete(ref.key);
    await store.delete(ref.key);
    await expect(contentOf(store, ref)).rejects.toMatchObject({ code: "not_found" });
    expect(await filesLeft()).toEqual([]);
  });

  it("is sealed at rest, private, under a random name", async () => {
    const ref = newRef();
    await store.put(ref, content(Buffer.from("a phrase that must not be seen")), { maxBytes: 1000 });
    expect((await readFile(fileOf(ref))).includes("phrase")).toBe(false);
    expect((await stat(fileOf(ref))).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(fileOf(ref)))).mode & 0o777).toBe(0o700);
  });

  it.each(["", "../../etc/passwd", "a/b", "0".repeat(31), `${"0".repeat(32)}\n`])("refuses the key %j", async (key) => {
    const ref = { ...newRef(), key };
    await expect(store.put(ref, content(), { maxBytes: 1 })).rejects.toThrow(/object key/);
    await expect(store.read(ref)).rejects.toThrow(/object key/);
    await expect(store.delete(key)).rejects.toThrow(/object key/);
  });

  it("leaves nothing of what is too large, broken off or cancelled", async () => {
    await expect(store.put(newRef(), content(randomBytes(2000)), { maxBytes: 1999 })).rejects.toMatchObject({ reason: "too_large" });
    async function* broken() {
      yield randomBytes(100_000);
      throw new Error("the browser went away");
    }
    await expect(store.put(newRef(), broken(), { maxBytes: 1e9 })).rejects.toThrow("went away");
    const controller = new AbortController();
    async function* endless() {
      for (let count = 0; ; count += 1) {
        if (count === 10) controller.abort(new Error("cancelled"));
        yield randomBytes(100_000);
      }
    }
    await expect(store.put(newRef(), endless(), { maxBytes: 1e9, signal: controller.signal })).rejects.toThrow("cancelled");
    expect(await filesLeft()).toEqual([]);
  });

  it("fails closed when files are swapped, moved to another environment or changed", async () => {
    const [one, two] = [newRef(), newRef()];
    await store.put(one, content(randomBytes(200_000)), { maxBytes: 1e6 });
    await store.put(two, content(Buffer.from("two")), { maxBytes: 1e6 });
    await expect(contentOf(store, { ...two, environment: "staging" })).rejects.toThrow(/cannot be opened/);
    await expect(contentOf(store, { ...two, purpose: "page-image" })).rejects.toThrow(/cannot be opened/);
    await writeFile(fileOf(two), await readFile(fileOf(one)));
    await expect(contentOf(store, two)).rejects.toThrow(/cannot be opened/);
    const changed = await readFile(fileOf(one));
    changed.writeUInt8(changed.readUInt8(150_000) ^ 1, 150_000);
    await writeFile(fileOf(one), changed);
    await expect(contentOf(store, one)).rejects.toThrow(/cannot be opened/);
  });

  it("lets a reader stop early", async () => {
    const ref = newRef();
    await store.put(ref, content(randomBytes(3_000_000)), { maxBytes: 1e7 });
    for await (const piece of await store.read(ref)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(await contentOf(store, ref)).toHaveLength(3_000_000);
  });

  it("clears half-written files of a killed process after a day", async () => {
    const [old, fresh] = ["old", "fresh"].map((name) => path.join(folder, "incoming", name));
    await store.put(newRef(), content(), { maxBytes: 1 });
    for (const file of [old, fresh]) await writeFile(file ?? "", "x");
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(old ?? "", longAgo, longAgo);
    await createFileStore({ folder, sealer: seal }).put(newRef(), content(), { maxBytes: 1 });
    expect(await readdir(path.join(folder, "incoming"))).toEqual(["fresh"]);
  });

  it("takes 200 MB without growing", async () => {
    const piece = randomBytes(1024 * 1024);
    let peak = 0;
    const before = process.memoryUsage.rss();
    async function* large() {
      for (let count = 0; count < 200; count += 1) {
        peak = Math.max(peak, process.memoryUsage.rss());
        yield piece;
      }
    }
    const ref = newRef();
    expect((await store.put(ref, large(), { maxBytes: 210e6 })).bytes).toBe(200 * 1024 * 1024);
    for await (const part of await store.read(ref)) peak = Math.max(peak, process.memoryUsage.rss() + part.length);
    expect(peak - before).toBeLessThan(120 * 1024 * 1024);
  });
});
