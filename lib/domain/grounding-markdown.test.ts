import { describe, expect, it } from "vitest";
import { parseGrounding } from "./grounding";
import { documentToMarkdown, ExportedDocument, pageToMarkdown, toExport } from "./grounding-markdown";

const first = parseGrounding(`![header](82,31,430,52) Bulletin
![title](84,96,611,131) Berths
![text](84,150,480,402) The quay served 214 vessels, a rise of
![chart](512,260,910,540) <table><tr><td>61</td></tr></table>
![text+](512,150,910,233) nine percent
![page_number](489,951,511,968) 7`);
const second = parseGrounding(`![text+](84,96,611,131) on the year before.
![section](1,2,3,4) Next
![formula](1,2,3,4) m = a
![code](1,2,3,4) let x
![image](1,2,3,4) A coiled rope.
![image](1,2,3,4)`);

describe("Markdown", () => {
  it("joins continuations over figures and pages, and keeps margins unless told", () => {
    const table = "*Chart data as estimated by the model:*\n\n<table><tr><td>61</td></tr></table>";
    const body = `# Berths\n\nThe quay served 214 vessels, a rise of nine percent on the year before.\n\n${table}`;
    const rest = "## Next\n\n$$\nm = a\n$$\n\n```\nlet x\n```\n\n*Picture as described by the model: A coiled rope.*\n";
    expect(documentToMarkdown([first, second])).toBe(`Bulletin\n\n${body}\n\n7\n\n${rest}`);
    expect(documentToMarkdown([first, second], { withoutMargins: true })).toBe(`${body}\n\n${rest}`);
  });

  it("keeps a continuation that has nothing to continue", () => {
    expect(pageToMarkdown(parseGrounding("![text+](1,2,3,4) alone"))).toBe("alone\n");
    expect(pageToMarkdown([])).toBe("");
  });

  it("keeps headings, fences and delimiters that the model wrote", () => {
    const text = "![title](1,2,3,4) ### Deep\n![code](1,2,3,4) ```\nx\n```\n![formula](1,2,3,4) \\[ x \\]";
    expect(pageToMarkdown(parseGrounding(text))).toBe("### Deep\n\n```\nx\n```\n\n\\[ x \\]\n");
  });
});

describe("JSON", () => {
  const page = { number: 1, width: 1448, height: 2048, state: "done", reason: "", blocks: first };
  const source = { name: "a.pdf", model: "lightonai/LightOnOCR-3-1B", mode: "grounding" as const, pages: [page] };

  it("fits its own schema and says what was generated", () => {
    const exported = ExportedDocument.parse(toExport(source));
    expect(exported.pages[0]?.blocks[3]).toEqual({
      label: "chart",
      bbox: [512, 260, 910, 540],
      text: "<table><tr><td>61</td></tr></table>",
      continues: false,
      generated: true,
    });
  });

  it("leaves out margins with the option of the Markdown", () => {
    const labels = toExport(source, { withoutMargins: true }).pages[0]?.blocks.map((block) => block.label);
    expect(labels).toEqual(["title", "text", "chart", "text"]);
  });
});
