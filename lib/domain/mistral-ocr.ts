import { z } from "zod";
import { FieldRefused } from "./gateway-chat";

const ImageUrl = z.union([z.string(), z.object({ url: z.string(), detail: z.string().nullish() })]);

const Document = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("document_url"), document_url: z.string(), document_name: z.string().max(200).nullish() }),
  z.strictObject({ type: z.literal("image_url"), image_url: ImageUrl }),
  z.strictObject({ type: z.literal("file"), file_id: z.string() }),
]);

/** `POST /v1/ocr` as Mistral's client sends it (https://docs.mistral.ai/api/endpoint/ocr). */
const OcrFields = z.strictObject({
  model: z.string().max(200).nullish(),
  id: z.string().max(200).nullish(),
  document: Document,
  pages: z.union([z.array(z.int().min(0)).max(5_000), z.string().max(2_000), z.int().min(0)]).nullish(),
  include_image_base64: z.boolean().nullish(),
  image_limit: z.int().min(0).nullish(),
  image_min_size: z.int().min(0).nullish(),
  table_format: z.enum(["markdown", "html"]).nullish(),
  extract_header: z.boolean().nullish(),
  extract_footer: z.boolean().nullish(),
  include_blocks: z.boolean().nullish(),
  confidence_scores_granularity: z.enum(["word", "page", "block"]).nullish(),
  bbox_annotation_format: z.unknown().optional(),
  document_annotation_format: z.unknown().optional(),
  document_annotation_prompt: z.unknown().optional(),
});

export type OcrOptions = { includesImages: boolean; imageLimit: number; imageMinSize: number; takesTablesOut: boolean; takesHeaderOut: boolean; takesFooterOut: boolean; includesBlocks: boolean };
export type OcrRequest = { model: string | null; base64: string; pages: number[] | null; options: OcrOptions };

/** The request, checked. Throws FieldRefused for what is unknown, wrong, or not inline. */
export function parseOcrRequest(body: unknown): OcrRequest {
  const parsed = OcrFields.safeParse(body);
  if (!parsed.success) throw refusal(parsed.error.issues[0]);
  const ocr = parsed.data;
  for (const field of ["bbox_annotation_format", "document_annotation_format", "document_annotation_prompt"] as const)
    if (ocr[field] != null) throw new FieldRefused(`Lectern reads pages and makes no annotations: leave ${field} out.`, field);
  return {
    model: ocr.model ?? null,
    base64: inlineDocument(ocr.document),
    pages: ocr.pages == null ? null : pageIndexes(ocr.pages),
    options: {
      includesImages: ocr.include_image_base64 ?? false,
      imageLimit: ocr.image_limit ?? Infinity,
      imageMinSize: ocr.image_min_size ?? 0,
      takesTablesOut: ocr.table_format != null,
      takesHeaderOut: ocr.extract_header ?? false,
      takesFooterOut: ocr.extract_footer ?? false,
      includesBlocks: ocr.include_blocks ?? false,
    },
  };
}

function refusal(issue: z.core.$ZodIssue | undefined): FieldRefused {
  const place = issue?.path.join(".") ?? "";
  if (issue?.code !== "unrecognized_keys") return new FieldRefused(`${place === "" ? "The body" : place}: ${issue?.message ?? "is not valid"}.`, place || null);
  const field = [place, issue.keys[0]].filter(Boolean).join(".").slice(0, 80);
  return new FieldRefused(`The gateway does not know the field ${field}. Leave it out; docs/gateway.md lists the fields that it knows.`, field);
}

function inlineDocument(document: z.infer<typeof Document>): string {
  if (document.type === "file") throw new FieldRefused("Lectern keeps no files for this API: send the document inline, as a data: URL in document_url.", "document.file_id");
  const [field, url] = document.type === "document_url" ? ["document.document_url", document.document_url] : ["document.image_url", typeof document.image_url === "string" ? document.image_url : document.image_url.url];
  const comma = url.slice(0, 200).indexOf(",");
  if (comma < 0 || !/^data:[a-z0-9.+/-]*(?:;[a-z0-9=._-]+)*;base64$/i.test(url.slice(0, comma)))
    throw new FieldRefused("Send the document inline, as data:application/pdf;base64,… or data:image/png;base64,…. Lectern fetches no addresses.", field);
  return url.slice(comma + 1);
}

/** Page indexes from 0, sorted, each once: from a list, a number, or text like "0,2-4". Throws FieldRefused. */
export function pageIndexes(pages: number[] | string | number): number[] {
  if (typeof pages === "number") return [pages];
  const all = typeof pages === "string" ? pages.split(",").flatMap(range) : pages;
  return [...new Set(all)].sort((a, b) => a - b);
}

function range(part: string): number[] {
  const match = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part);
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (!match || to < from) throw new FieldRefused('pages: write page numbers from 0 and ranges, like "0,2-4".', "pages");
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
