import { randomBytes } from "node:crypto";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { sealer, type SealPlace, type Sealer } from "./seal";

const key = (id: string) => ({ id, key: randomBytes(32) });
const first = key("k1");
const place: SealPlace = { environment: "production", object: "doc-1", purpose: "original" };
const seal = sealer(first);

async function through(transform: Transform, pieces: Iterable<Uint8Array>): Promise<Buffer> {
  const out: Buffer[] = [];
  await pipeline(Readable.from(pieces), transform, async (stream: AsyncIterable<Buffer>) => {
    for await (const piece of stream) out.push(piece);
  });
  return Buffer.concat(out);
}
const sealAll = (content: Buffer, by: Sealer = seal) => through(by.sealStream(place), [content]);
const openAll = (sealed: Buffer, at = place) => through(seal.openStream(at), [sealed]);

function* slices(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const elsewhere: [string, SealPlace][] = [
  ["another environment", { ...place, environment: "staging" }],
  ["another object", { ...place, object: "doc-2" }],
  ["another purpose", { ...place, purpose: "page-image" }],
  ["parts shifted over the border", { environment: 'production","doc-1', object: "original", purpose: "" }],
];

describe("sealing a small thing", () => {
  const secret = Buffer.from("a phrase that must not be seen");

  it("opens in its place and shows nothing of the content", () => {
    const sealed = seal.seal(secret, place);
    expect(sealed.includes("phrase")).toBe(false);
    expect(seal.open(sealed, place)).toEqual(secret);
    expect(seal.open(seal.seal(Buffer.alloc(0), place), place)).toEqual(Buffer.alloc(0));
  });

  it("never makes the same bytes twice", () => {
    const twice = [seal.seal(secret, place), seal.seal(secret, place)].map((sealed) => sealed.subarray(7 + 12).toString("hex"));
    expect(twice[0]).not.toBe(twice[1]);
  });

  it.each(elsewhere)("fails in %s", (_name, other) => {
    expect(() => seal.open(seal.seal(secret, place), other)).toThrow(/cannot be opened/);
  });

  it("fails for every flipped bit and every shorter length", () => {
    const sealed = seal.seal(secret, place);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
      expect(() => seal.open(changed, place), `byte ${at}`).toThrow(/cannot be opened/);
      expect(() => seal.open(sealed.subarray(0, at), place), `length ${at}`).toThrow(/cannot be opened/);
    }
  });

  it("opens with a retired key, seals with the present one, and fails without the key", () => {
    const second = key("k2");
    const rotated = sealer(second, [first]);
    expect(rotated.open(seal.seal(secret, place), place)).toEqual(secret);
    expect(() => sealer(second).open(seal.seal(secret, place), place)).toThrow(/cannot be opened/);
    expect(sealer(second).open(rotated.seal(secret, place), place)).toEqual(secret);
    expect(() => sealer({ id: "k1", key: randomBytes(32) }).open(seal.seal(secret, place), place)).toThrow(/cannot be opened/);
  });

  it("refuses weak keys", () => {
    expect(() => sealer({ id: "k", key: randomBytes(16) })).toThrow(/32 bytes/);
    expect(() => sealer({ id: "K/1", key: randomBytes(32) })).toThrow(/id/);
  });
});

describe("sealing a stream", () => {
  const chunk = 64 * 1024;

  it.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17])("%i bytes come back, however they are cut", async (length) => {
    const content = randomBytes(length);
    const sealed = await through(seal.sealStream(place), slices(content, 1000));
    expect((await through(seal.openStream(place), slices(sealed, 7001))).equals(content)).toBe(true);
    expect((await openAll(sealed)).equals(content)).toBe(true);
  });

  it.each(elsewhere)("fails in %s", async (_name, other) => {
    await expect(openAll(await sealAll(Buffer.from("x")), other)).rejects.toThrow(/cannot be opened/);
  });

  it("fails when chunks are swapped, repeated, dropped or cut off, and when a bit is flipped", async () => {
    const sealed = await sealAll(randomBytes(3 * chunk));
    const head = sealed.length - 3 * (chunk + 16);
    const part = (n: number) => sealed.subarray(head + n * (chunk + 16), head + (n + 1) * (chunk + 16));
    const start = sealed.subarray(0, head);
    const flipped = Buffer.from(sealed);
    flipped.writeUInt8(flipped.readUInt8(head + chunk + 100) ^ 1, head + chunk + 100);
    const damaged = [
      Buffer.concat([start, part(1), part(0), part(2)]),
      Buffer.concat([start, part(0), part(0), part(1), part(2)]),
      Buffer.concat([start, part(0), part(2)]),
      Buffer.concat([start, part(0), part(1)]),
      Buffer.concat([start, part(0)]),
      start,
      sealed.subarray(0, head - 1),
      sealed.subarray(0, sealed.length - 1),
      Buffer.concat([sealed, Buffer.from([0])]),
      flipped,
      Buffer.alloc(0),
    ];
    expect(await openAll(Buffer.concat([start, part(0), part(1), part(2)]))).toHaveLength(3 * chunk);
    for (const [i, content] of damaged.entries()) await expect(openAll(content), `case ${i}`).rejects.toThrow(/cannot be opened/);
  });

  it("does not open as a small thing, nor the other way round", async () => {
    const streamed = await sealAll(Buffer.from("x"));
    expect(() => seal.open(streamed, place)).toThrow(/cannot be opened/);
    await expect(openAll(seal.seal(Buffer.from("x"), place))).rejects.toThrow(/cannot be opened/);
  });
});
