import type { Block, Box } from "./grounding";
import { pageToMarkdown } from "./grounding-markdown";
import type { OcrOptions } from "./mistral-ocr";

/** A page as it was read: its picture's pixels and density, and the model's blocks. */
export type OcrSource = { index: number; width: number; height: number; dpi: number; blocks: readonly Block[] };

type Corners = { top_left_x: number; top_left_y: number; bottom_right_x: number; bottom_right_y: number };
export type OcrImage = Corners & { id: string; image_base64: string | null; image_annotation: null };
export type OcrTable = { id: string; content: string; format: "html" };
export type OcrBlock = Corners & { type: string; content: string; image_id?: string; table_id?: string | null };

export type OcrPage = {
  index: number;
  markdown: string;
  images: OcrImage[];
  tables: OcrTable[];
  hyperlinks: string[];
  header: string | null;
  footer: string | null;
  dimensions: { dpi: number; height: number; width: number };
  blocks?: OcrBlock[];
};

const pictures = new Set(["image", "figure", "header_image", "footer_image"]);
const headers = new Set(["header", "page_header"]);
const footers = new Set(["footer", "page_footer", "page_number"]);

// Mistral's closed list of block types; what it has no word for is text.
const types: Record<string, string> = {
  title: "title", section: "title", figure_title: "caption", caption: "caption", list: "list", table: "table", chart: "table", formula: "equation", code: "code",
  aside_text: "aside_text", header: "header", page_header: "header", footer: "footer", page_footer: "footer", page_number: "footer",
  image: "image", figure: "image", header_image: "image", footer_image: "image",
};

/** The page in the form of Mistral's OCR API: Markdown with the places of pictures in it, and boxes in pixels of `dimensions`. */
export function toOcrPage({ index, width, height, dpi, blocks }: OcrSource, options: OcrOptions): OcrPage {
  const images: OcrImage[] = [];
  const tables: OcrTable[] = [];
  const listed: OcrBlock[] = [];
  const body: Block[] = [];
  const corners = (box: Box) => cornersOf(box, { width, height });
  for (const block of blocks) {
    const image = pictures.has(block.label) && block.box ? pictureOf(corners(block.box), images, options) : null;
    const table = options.takesTablesOut && block.label === "table" ? { id: `tbl-${tables.length}.html`, content: block.text, format: "html" as const } : null;
    if (image) images.push(image);
    if (table) tables.push(table);
    if (block.box) listed.push(toBlock(block, corners(block.box), { imageId: image?.id, tableId: table?.id }));
    if ((options.takesHeaderOut && headers.has(block.label)) || (options.takesFooterOut && footers.has(block.label))) continue;
    const link = image ? `![${image.id}](${image.id})` : table ? `[${table.id}](${table.id})` : null;
    body.push(link ? { ...block, label: "text", continues: false, text: link } : block);
  }
  return {
    index,
    markdown: pageToMarkdown(body).trimEnd(),
    images,
    tables,
    hyperlinks: [],
    header: options.takesHeaderOut ? textOf(blocks, headers) : null,
    footer: options.takesFooterOut ? textOf(blocks, footers) : null,
    dimensions: { dpi, height, width },
    ...(options.includesBlocks ? { blocks: listed } : {}),
  };
}

function pictureOf(box: Corners, before: readonly OcrImage[], { imageLimit, imageMinSize }: OcrOptions): OcrImage | null {
  const isSmall = box.bottom_right_x - box.top_left_x < imageMinSize || box.bottom_right_y - box.top_left_y < imageMinSize;
  return isSmall || before.length >= imageLimit ? null : { id: `img-${before.length}.jpeg`, ...box, image_base64: null, image_annotation: null };
}

function toBlock({ label, text }: Block, box: Corners, { imageId, tableId }: { imageId?: string | undefined; tableId?: string | undefined }): OcrBlock {
  const type = types[label] ?? "text";
  if (type === "image") return imageId ? { type, content: text, image_id: imageId, ...box } : { type: "text", content: text, ...box };
  return type === "table" ? { type, content: text, table_id: tableId ?? null, ...box } : { type, content: text, ...box };
}

function textOf(blocks: readonly Block[], labels: ReadonlySet<string>): string | null {
  return blocks.filter(({ label }) => labels.has(label)).map(({ text }) => text).join("\n") || null;
}

/** Pixels from the 0–1000 grid. */
function cornersOf([x1, y1, x2, y2]: Box, { width, height }: { width: number; height: number }): Corners {
  const [left, top, right, bottom] = [Math.round((x1 * width) / 1000), Math.round((y1 * height) / 1000), Math.round((x2 * width) / 1000), Math.round((y2 * height) / 1000)];
  return { top_left_x: left, top_left_y: top, bottom_right_x: Math.max(left + 1, right), bottom_right_y: Math.max(top + 1, bottom) };
}
