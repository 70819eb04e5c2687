import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liftPictures } from "./gateway-lift";

const picture = Buffer.alloc(3_000, "picture ").toString("base64");
const bodyOf = (value: unknown) => [Buffer.from(JSON.stringify(value))];
/** The same bytes, cut somewhere. */
function cut(bytes: Buffer, every: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / every) }, (_, index) => bytes.subarray(index * every, (index + 1) * every));
}
const textOf = (pieces: Uint8Array[]) => Buffer.concat(pieces).toString();

describe("pictures that stay bytes", () => {
  it("are not in what is parsed, and are back in what goes on", () => {
    const request = { model: "x", messages: [{ role: "user", content: [{ image_url: { url: `data:image/png;base64,${picture}` } }] }], stream: true };
    const { value, lower } = liftPictures(bodyOf(request));
    expect(JSON.stringify(value).length).toBeLessThan(300);
    expect(JSON.parse(textOf(lower(JSON.stringify({ other: 1, ...(value as object) }))))).toEqual({ other: 1, ...request });
  });

  it("keep their places when the order changes, and are left out with their field", () => {
    const [first, second] = [`data:a;base64,${picture}1`, `data:b;base64,${picture}2`];
    const { value, lower } = liftPictures(bodyOf({ first, second }));
    const lifted = value as { first: string; second: string };
    expect(JSON.parse(textOf(lower(JSON.stringify({ second: lifted.second, first: lifted.first }))))).toEqual({ second, first });
    expect(JSON.parse(textOf(lower(JSON.stringify({ second: lifted.second }))))).toEqual({ second });
  });

  it.each([`x;base64,${picture}\\"more`, `x;base64,${picture}\n`, ";base64,short", `;base64,${picture};base64,${picture}`, `ü;base64,${picture}`])("with the text %#, JSON stays the same", (text) => {
    expect(liftPicturesBack({ text, after: "end" })).toEqual({ text, after: "end" });
  });

  it("whatever the request, what goes on is what came", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom(";base64,", `a;base64,${picture}`, `${picture}\\`, `";base64,${picture}"`));
    const holds = fc.property(fc.jsonValue(), fc.array(texts), fc.integer({ min: 1, max: 5_000 }), (value, more, every) => {
      expect(liftPicturesBack({ value, more }, every)).toEqual(JSON.parse(JSON.stringify({ value, more })));
    });
    fc.assert(holds, { numRuns: 200 });
  });

  it("refuses what is not JSON", () => {
    expect(() => liftPictures([Buffer.from(`{"url": "x;base64,${picture}"`)])).toThrow(/not JSON/);
    expect(() => liftPictures([Buffer.from(`;base64,${picture}`)])).toThrow(/not JSON/);
  });
});

function liftPicturesBack(value: unknown, every = 1e9): unknown {
  const lifted = liftPictures(cut(Buffer.concat(bodyOf(value)), every));
  return JSON.parse(textOf(lifted.lower(JSON.stringify(lifted.value))));
}
