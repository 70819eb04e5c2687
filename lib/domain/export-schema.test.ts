import { readFileSync } from "node:fs";
import fc from "fast-check";
import { XmlBufferInputProvider, XmlDocument, xmlRegisterInputProvider, XsdValidator, type XmlElement } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { toAlto, toHocr, type MarkupDocument } from "./export-markup";
import { parseGrounding } from "./grounding";

// The published schema imports XLink's from another host; ours stands in for it (fixtures/alto/README.md).
const XLINK = "http://www.loc.gov/standards/xlink/xlink.xsd";
const schemaFile = (name: string) => readFileSync(`lib/domain/fixtures/alto/${name}`);
xmlRegisterInputProvider(new XmlBufferInputProvider({ [XLINK]: schemaFile("xlink.xsd") }));
const alto = XsdValidator.fromDoc(XmlDocument.fromBuffer(schemaFile("alto-4-4.xsd")));

function documentOf(text: string): MarkupDocument {
  const page = { number: 1, width: 1000, height: 2000, state: "done", reason: "", blocks: parseGrounding(text) };
  return { name: 'a "b" <c>.pdf', model: "m", pages: [page, { ...page, number: 2, state: "failed", reason: "no", blocks: [] }] };
}

const bulletin = "![header](82,31,430,52) Harbour\n![title](84,96,611,131) # Berths & <b>boats</b>\n![table](70,210,930,455)\n<table><tr><th>a</th></tr></table>\n![image](120,560,420,800) A rope.\n![image](1,1,5,5)\n![text](1,1,1,1) Without area.\n![text](5,5,90,90) one\u0001two\uFFFF \uD800 \u0007\n![text](990,990,9999,9999) edge";
const anyText = fc.array(fc.oneof(fc.constantFrom("![text](1,2,300,400) ", "![list+](990,0,1000,1000) ", "\n", "<td>", "&#0;", "\u0000", "]]>", "\uD83D"), fc.string({ unit: "binary" })), { maxLength: 12 }).map((pieces) => pieces.join(""));

describe("ALTO", () => {
  it("holds to its schema", () => {
    alto.validate(XmlDocument.fromString(toAlto(documentOf(bulletin))));
    expect(() => alto.validate(XmlDocument.fromString(toAlto(documentOf(bulletin)).replace(/ CONTENT="Harbour"/, "")))).toThrow(); // the schema does judge
  });

  it("holds to its schema whatever stands in the document", () => {
    fc.assert(fc.property(anyText, (text) => alto.validate(XmlDocument.fromString(toAlto(documentOf(text))))), { numRuns: 60 });
  });
});

/** What hOCR 1.2 asks of elements by class: the box lies in the parent's, and the parent is of the right class. */
const PARENTS: Record<string, string | null> = { ocr_page: null, ocr_carea: "ocr_page", ocr_par: "ocr_carea", ocr_line: "ocr_par" };
const NAMESPACES = { h: "http://www.w3.org/1999/xhtml" };

function assertHocr(text: string): number {
  const document = XmlDocument.fromString(text);
  const elements = document.find("//h:*[@class]", NAMESPACES) as XmlElement[]; // the expression names elements
  const meta = (name: string) => (document.get(`//h:meta[@name='${name}']`, NAMESPACES) as XmlElement | null)?.attr("content")?.value ?? ""; // the expression names elements
  const ids = new Set<string>();
  for (const element of elements) {
    const [kind, id] = [element.attr("class")?.value ?? "", element.attr("id")?.value ?? ""];
    if (!(kind in PARENTS)) continue;
    expect(ids.has(id), id).toBe(false);
    ids.add(id);
    const box = boxOf(element);
    expect(box[0] <= box[2] && box[1] <= box[3], `${id}: ${box.join()}`).toBe(true);
    const wanted = PARENTS[kind];
    if (!wanted) continue;
    const { parent } = element;
    expect(parent?.attr("class")?.value).toBe(wanted);
    const outer = parent ? boxOf(parent) : box;
    expect(box[0] >= outer[0] && box[1] >= outer[1] && box[2] <= outer[2] && box[3] <= outer[3], `${id}: ${box.join()} in ${outer.join()}`).toBe(true);
  }
  expect(meta("ocr-system")).not.toBe("");
  expect(meta("ocr-capabilities").split(" ").sort()).toEqual(Object.keys(PARENTS).sort());
  return ids.size;
}

function boxOf(element: XmlElement): [number, number, number, number] {
  const [, ...numbers] = /bbox (\d+) (\d+) (\d+) (\d+)/.exec(element.attr("title")?.value ?? "") ?? [];
  expect(numbers).toHaveLength(4);
  return numbers.map(Number) as [number, number, number, number]; // four, as just seen
}

describe("hOCR", () => {
  it("is well-formed XHTML whose areas, paragraphs and lines lie in one another", () => {
    expect(assertHocr(toHocr(documentOf(bulletin)))).toBeGreaterThan(12);
  });

  it("is so whatever stands in the document", () => {
    fc.assert(fc.property(anyText, (text) => void assertHocr(toHocr(documentOf(text)))), { numRuns: 60 });
  });
});
