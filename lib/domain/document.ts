import { z } from "zod";

/** The media types that Lectern reads, each with the file name endings that go with it. */
export const acceptedTypes = {
  "application/pdf": ["pdf"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/webp": ["webp"],
  "image/tiff": ["tif", "tiff"],
  "image/gif": ["gif"],
  "image/avif": ["avif"],
} as const satisfies Record<string, readonly string[]>;

export type MediaType = keyof typeof acceptedTypes;

export const MediaType = z.enum(Object.keys(acceptedTypes) as [MediaType, ...MediaType[]]); // keys of a const object, as zod wants them

/** PDF pages have a size in points, pictures in pixels; both as shown, after rotation. Numbers start at 1. */
export const DocumentPage = z.union([
  z.strictObject({ number: z.int().min(1), widthPt: z.number().positive(), heightPt: z.number().positive() }),
  z.strictObject({ number: z.int().min(1), widthPx: z.int().min(1), heightPx: z.int().min(1) }),
]);
export type DocumentPage = z.infer<typeof DocumentPage>;

/** What inspection finds out about a file. */
export type InspectedDocument = { mediaType: MediaType; kind: "pdf" | "image"; pages: DocumentPage[] };

/** What a document may cost; kept while it is streamed and decoded. Defaults: security-checklist row F2 and measured rendering times. */
export const DocumentLimits = z.strictObject({
  maxBytes: z
    .int()
    .positive()
    .default(50 * 1024 * 1024),
  maxPages: z.int().positive().default(200),
  /** Of a picture as stored; PDF pages are rendered to the size that the model wants. */
  maxPixelsPerPage: z.int().positive().default(40_000_000),
  /** Of one picture in memory: pixels × channels × bytes a channel. */
  maxDecodedBytesPerPage: z
    .int()
    .positive()
    .default(512 * 1024 * 1024),
  inspectTimeoutMs: z.int().positive().default(20_000),
  pageTimeoutMs: z.int().positive().default(20_000),
  /** Growth of the process during one page, in bytes, at which its worker is killed. */
  maxMemoryGrowthBytes: z
    .int()
    .positive()
    .default(700 * 1024 * 1024),
});
export type DocumentLimits = z.infer<typeof DocumentLimits>;

export const defaultDocumentLimits: DocumentLimits = DocumentLimits.parse({});

/** The limits in words, to be shown before a file is dropped. */
export function describeLimits(limits: DocumentLimits): string {
  const megabytes = Math.round(limits.maxBytes / (1024 * 1024));
  const megapixels = Math.round(limits.maxPixelsPerPage / 1_000_000);
  return `PDF, PNG, JPEG, WebP, TIFF, GIF or AVIF, up to ${megabytes} MB, ${limits.maxPages} pages and ${megapixels} megapixels a page`;
}

/** The lower-case ending of a file name, without the dot; empty when there is none. */
export function fileExtension(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
