import { expect, test } from "vitest";
import { unionOf } from "../box";
import { sampleLine } from "../fixtures/sample-page";
import { findTitle, labelOf, type PageStyle, type Paragraph } from "./labels";

const page: PageStyle = { width: 1000, height: 1400, bodyHeight: 20 };

function paragraph(texts: string[], place: { y: number; height?: number; kind?: number }): Paragraph {
  const { y, height = 20, kind = 1 } = place;
  const lines = texts.map((text, index) => sampleLine(text, { x: 100, y: y + index * (height + 5) }, { height, kind }));
  return { lines, box: unionOf(lines.map((line) => line.box)), height };
}

test.each([
  ["page_number", ["17"], { y: 1350 }],
  ["page_number", ["Page 1 / 12"], { y: 60 }],
  ["text", ["17"], { y: 700 }],
  ["caption", ["Figure 2: vessels per month."], { y: 700 }],
  ["caption", ["Tabelle 3 Umschlag"], { y: 700 }],
  ["header", ["Harbour Authority"], { y: 40 }],
  ["footer", ["Printed on paper"], { y: 1350 }],
  ["list", ["• rope", "• oil"], { y: 700 }],
  ["list", ["e Fax: 202"], { y: 700 }],
  ["list", ["1. rope", "2. oil"], { y: 700 }],
  ["section", ["1. Introduction"], { y: 700 }],
  ["section", ["2.3 Berths"], { y: 700 }],
  ["text", ["123 Remit St"], { y: 700 }],
  ["section", ["TERMS OF DELIVERY"], { y: 700 }],
  ["section", ["Berth occupancy"], { y: 700, height: 26 }],
  ["text", ["Berth occupancy was high."], { y: 700, height: 26 }],
  ["text", ["the airline also proposes to"], { y: 700, height: 26 }],
  ["text", ["Berth occupancy"], { y: 700 }],
  ["footnote", ["1 Prices without delivery."], { y: 1200, height: 16 }],
  ["text", ["1 Prices without delivery."], { y: 1200 }],
  ["aside_text", ["Vertical words in the margin."], { y: 700, kind: 7 }],
] as const)("%s: %j at %j", (label, texts, place) => {
  expect(labelOf(paragraph([...texts], place), page, undefined)).toBe(label);
});

test("the title is the tallest short paragraph of the upper part, below the running head", () => {
  const head = paragraph(["Gazette"], { y: 20, height: 60 });
  const title = paragraph(["Berth occupancy"], { y: 200, height: 40 });
  const subtitle = paragraph(["Spring"], { y: 300, height: 30 });
  const low = paragraph(["Far below"], { y: 1000, height: 60 });
  expect(findTitle([head, subtitle, title, low], page)).toBe(title);
  expect(findTitle([paragraph(["Nothing tall"], { y: 200, height: 24 })], page)).toBeUndefined();
});
