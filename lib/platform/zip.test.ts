import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { keepInScratch } from "./scratch-file";
import { readZip } from "./zip-read";
import { writeZip } from "./zip-write";

const limits = { maxEntries: 10, maxBytes: 5_000_000, maxEntryBytes: 4_000_000 };

async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  async function* all() {
    for (const [name, content] of Object.entries(files)) yield { name, content: Buffer.from(content) };
  }
  return Buffer.from(await new Response(writeZip(all())).arrayBuffer());
}

async function together(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces ?? []) all.push(piece);
  return Buffer.concat(all);
}

describe("archives", () => {
  it("are taken apart outside memory, from a file that nobody can find or read", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "scratch-"));
    const noise = randomBytes(700_001); // not whole blocks of the cipher, and more than one piece
    const archive = await zipOf({ "a.txt": "one", "b.bin": noise, "c.bin": Buffer.alloc(1_000_000, "xyz"), empty: "" });
    async function* pieces(bytes: Buffer) {
      for (let at = 0; at < bytes.byteLength; at += 999) yield bytes.subarray(at, at + 999);
    }
    const scratch = await keepInScratch(folder, pieces(archive), { maxBytes: 5_000_000 });
    expect(readdirSync(folder)).toEqual([]);
    const contents = await Promise.all(readZip(scratch, limits).map(async (entry) => together(entry.pieces())));
    expect(contents.map((content) => content.byteLength)).toEqual([3, 700_001, 1_000_000, 0]);
    expect(contents[1]?.equals(noise)).toBe(true);
    scratch.close();
    await expect(keepInScratch(folder, pieces(archive), { maxBytes: 100_000 })).rejects.toMatchObject({ code: "too_large" });
    const lying = Buffer.from(archive);
    lying.writeUInt32LE(2, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    await expect(together(readZip(lying, limits)[0]?.pieces())).rejects.toThrow(/damaged/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("come back as they were packed", async () => {
    const archive = await zipOf({ "a/ä.txt": "one", "b.bin": Buffer.alloc(100_000, "xyz"), empty: "" });
    expect(readZip(archive, limits).map((entry) => [entry.name, entry.bytes, entry.read().byteLength])).toEqual([["a/ä.txt", 3, 3], ["b.bin", 100_000, 100_000], ["empty", 0, 0]]);
  });

  it("are read by Python's zipfile, and Python's are read here", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "zip-"));
    writeFileSync(path.join(folder, "ours.zip"), await zipOf({ "x/y.md": "text" }));
    const script = "import zipfile,sys,os; z=zipfile.ZipFile(sys.argv[1]+'/ours.zip'); assert z.testzip() is None; print(z.read('x/y.md').decode()); w=zipfile.ZipFile(sys.argv[1]+'/theirs.zip','w',zipfile.ZIP_DEFLATED); w.writestr('q.txt','theirs'); w.close()";
    expect(execFileSync("python3", ["-c", script, folder], { encoding: "utf8" }).trim()).toBe("text");
    expect(readZip(readFileSync(path.join(folder, "theirs.zip")), limits)[0]?.read().toString()).toBe("theirs");
  });

  it.each(["../out.pdf", "/etc/passwd", "a/../../b", "C:\\x", "..\\x"])("with the path %s are refused whole", async (name) => {
    const archive = await zipOf({ "good.txt": "x", [name]: "x" });
    expect(() => readZip(archive, limits)).toThrow(/leads out/);
  });

  it("with a link are refused", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "zip-"));
    symlinkSync("/etc/passwd", path.join(folder, "link"));
    const script = "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]+'/l.zip','w'); i=zipfile.ZipInfo('link'); i.external_attr=0o120777<<16; z.writestr(i,'/etc/passwd'); z.close()";
    execFileSync("python3", ["-c", script, folder]);
    expect(() => readZip(readFileSync(path.join(folder, "l.zip")), limits)).toThrow(/holds a link/);
  });

  it("are counted and weighed before anything is unpacked", async () => {
    const many = await zipOf(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`${index}`, "x"])));
    expect(() => readZip(many, limits)).toThrow(/11 entries/);
    expect(() => readZip(words, limits)).toThrow(/damaged/);
    const bomb = await zipOf({ bomb: Buffer.alloc(3_000_000) });
    expect(() => readZip(bomb, limits)).toThrow(/200 times/);
    const noise = Buffer.from(Array.from({ length: 600_000 }, (_, index) => (index * 7919) % 251));
    const heavy = await zipOf({ a: noise, b: noise });
    expect(() => readZip(heavy, { ...limits, maxBytes: 1_000_000 })).toThrow(/unpacks to more/);
  });

  it("that lie about a size, or share bytes between entries, are refused", async () => {
    const archive = await zipOf({ a: "hello hello hello", b: "other" });
    const lying = Buffer.from(archive);
    const central = lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    lying.writeUInt32LE(3, central + 24);
    expect(() => readZip(lying, limits).map((entry) => entry.read())).toThrow(/damaged/);
    const sharing = Buffer.from(archive);
    const second = sharing.indexOf(Buffer.from([0x50, 0x4b, 1, 2]), central + 4);
    sharing.writeUInt32LE(0, second + 42);
    expect(() => readZip(sharing, limits)).toThrow(/damaged/);
  });
});

const words = Buffer.from("no archive at all, only some words that are long enough");
