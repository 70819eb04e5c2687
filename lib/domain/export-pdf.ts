import { hasBox, placeLines, type MarkupPage } from "./export-markup";

/** A page of the PDF: its picture as JPEG, and its size in points. */
export type PdfPage = { page: MarkupPage; jpeg: Uint8Array; widthPt: number; heightPt: number };

const encoder = new TextEncoder();
const GLYPH_WIDTH = 500;
const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, "0");

/**
 * A PDF of page pictures with invisible text over them, written piece by piece so that a long document needs no more memory than a
 * page. Its fonts have no outlines, only a table that says which letter each of their 256 codes is.
 */
export async function* writePdf(title: string, pages: AsyncIterable<PdfPage>): AsyncGenerator<Uint8Array> {
  const writer = createWriter();
  const fonts: Font[] = [];
  const kids: number[] = [];
  const [catalog, tree, resources] = [writer.reserve(), writer.reserve(), writer.reserve()];
  yield writer.raw("%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n");
  for await (const { page, jpeg, widthPt, heightPt } of pages) {
    const [picture, content, leaf] = [writer.reserve(), writer.reserve(), writer.reserve()];
    yield writer.stream(picture, `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`, jpeg);
    yield writer.stream(content, "", encoder.encode(contentOf(page, { widthPt, heightPt, fonts })));
    yield writer.object(leaf, `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${widthPt.toFixed(2)} ${heightPt.toFixed(2)}] /Contents ${content} 0 R /Resources << /XObject << /P ${picture} 0 R >> /Font ${resources} 0 R >> >>`);
    kids.push(leaf);
  }
  const ids = fonts.map(() => writer.reserve());
  for (const [index, font] of fonts.entries()) yield* writeFont(writer, font, ids[index] ?? 0);
  yield writer.object(resources, `<< ${ids.map((id, index) => `/F${index} ${id} 0 R`).join(" ")} >>`);
  yield writer.object(tree, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] >>`);
  yield writer.object(catalog, `<< /Type /Catalog /Pages ${tree} 0 R >>`);
  const info = writer.reserve();
  yield writer.object(info, `<< /Title <FEFF${utf16(title)}> /Producer (Lectern) >>`);
  yield writer.trailer(catalog, info);
}

/** The letters of a font with their codes, in the order in which they came. */
type Font = Map<string, number>;
type Place = { widthPt: number; heightPt: number; fonts: Font[] };

const FONT_SIZE = 256;

function utf16(text: string): string {
  return text.split("").map((unit) => hex(unit.charCodeAt(0), 4)).join("");
}

/** A font that has all these letters or room for them: a line in one font is one piece, which readers do not break. */
function fontFor(letters: readonly string[], fonts: Font[]): number {
  const wanted = new Set(letters);
  const found = fonts.findIndex((font) => font.size + [...wanted].filter((letter) => !font.has(letter)).length <= FONT_SIZE);
  const index = found < 0 ? fonts.push(new Map()) - 1 : found;
  for (const letter of wanted) if (!fonts[index]?.has(letter)) fonts[index]?.set(letter, fonts[index].size);
  return index;
}

function contentOf(page: MarkupPage, { widthPt, heightPt, fonts }: Place): string {
  const [sx, sy] = [widthPt / page.width, heightPt / page.height];
  const parts = [`q ${widthPt.toFixed(2)} 0 0 ${heightPt.toFixed(2)} 0 0 cm /P Do Q`, "BT 3 Tr"];
  for (const line of page.blocks.filter(hasBox).flatMap((block) => placeLines(block, block.box, page))) {
    const letters = [...line.text].slice(0, 10_000);
    const size = Math.max(1, (line.bottom - line.top) * sy * 0.8);
    const scale = Math.max(1, ((line.right - line.left) * sx * 100_000) / (letters.length * size * GLYPH_WIDTH));
    const baseline = heightPt - line.bottom * sy + size * 0.2;
    parts.push(`${scale.toFixed(2)} Tz 1 0 0 1 ${(line.left * sx).toFixed(2)} ${baseline.toFixed(2)} Tm`, ...shown(letters, size, fonts));
  }
  return `${parts.join("\n")}\nET`;
}

/** The line as strings of at most a font's number of letters. */
function shown(letters: readonly string[], size: number, fonts: Font[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < letters.length; at += FONT_SIZE) {
    const piece = letters.slice(at, at + FONT_SIZE);
    const index = fontFor(piece, fonts);
    pieces.push(`/F${index} ${size.toFixed(2)} Tf <${piece.map((letter) => hex(fonts[index]?.get(letter) ?? 0, 2)).join("")}> Tj`);
  }
  return pieces;
}

function* writeFont(writer: Writer, font: Font, id: number): Generator<Uint8Array> {
  const [glyph, unicode] = [writer.reserve(), writer.reserve()];
  const names = Array.from({ length: FONT_SIZE }, (_, code) => `/g${hex(code, 2)}`);
  const letters = [...font].map(([letter, code]) => `<${hex(code, 2)}> <${utf16(letter)}>`);
  const groups = Array.from({ length: Math.ceil(letters.length / 100) }, (_, group) => letters.slice(group * 100, group * 100 + 100)); // a group has at most 100 lines
  yield writer.stream(glyph, "", encoder.encode(`${GLYPH_WIDTH} 0 0 -200 ${GLYPH_WIDTH} 800 d1`));
  yield writer.stream(unicode, "", encoder.encode(`/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Letters def\n/CMapType 2 def\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n${groups.map((group) => `${group.length} beginbfchar\n${group.join("\n")}\nendbfchar`).join("\n")}\nendcmap\nend\nend`));
  yield writer.object(
    id,
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 ${GLYPH_WIDTH} 800] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 255 /Widths [${names.map(() => GLYPH_WIDTH).join(" ")}] /Encoding << /Type /Encoding /Differences [0 ${names.join(" ")}] >> /CharProcs << ${names.map((name) => `${name} ${glyph} 0 R`).join(" ")} >> /Resources << >> /ToUnicode ${unicode} 0 R >>`,
  );
}

type Writer = ReturnType<typeof createWriter>;

function createWriter() {
  const offsets: number[] = [0];
  let length = 0;
  const emit = (bytes: Uint8Array) => ((length += bytes.byteLength), bytes);
  const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const joined = (parts: Uint8Array[]) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
    parts.reduce((at, part) => (all.set(part, at), at + part.byteLength), 0);
    return all;
  };
  const begin = (id: number) => (offsets[id] = length);
  return {
    reserve: () => offsets.push(0) - 1,
    raw: (text: string) => emit(latin(text)),
    object: (id: number, body: string) => (begin(id), emit(latin(`${id} 0 obj\n${body}\nendobj\n`))),
    stream: (id: number, dictionary: string, data: Uint8Array) => (begin(id), emit(joined([latin(`${id} 0 obj\n<< ${dictionary} /Length ${data.byteLength} >>\nstream\n`), data, latin("\nendstream\nendobj\n")]))),
    trailer: (root: number, info: number) => {
      const start = length;
      const rows = offsets.map((offset, id) => (id === 0 ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`));
      return emit(latin(`xref\n0 ${offsets.length}\n${rows.join("")}trailer\n<< /Size ${offsets.length} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`));
    },
  };
}
