import { z } from "zod";
import { acceptedTypes } from "./document";

const whole = (min: number, max: number, unit: string) => z.int().min(min, `At least ${min} ${unit}.`).max(max, `At most ${max} ${unit}.`);

/** What an environment says about its documents: how long they are kept, and what one may cost while it is streamed and decoded. */
export const DocumentRules = z.strictObject({
  /** 0: never stored; in memory while its tab is open. */
  retentionHours: whole(0, 24 * 365, "hours"),
  maxDocumentMegabytes: whole(1, 500, "MB"),
  maxDocumentPages: whole(1, 1000, "pages"),
  maxPageMegapixels: whole(1, 400, "megapixels"),
  maxDecodedMegabytes: whole(16, 2048, "MB"),
  maxPageSeconds: whole(1, 120, "seconds"),
  maxPageMemoryMegabytes: whole(64, 2048, "MB"),
  /** What one person may ask for here. */
  maxFilesPerHour: whole(1, 1_000_000, "files").default(2000),
  maxMegabytesPerHour: whole(1, 1_000_000, "MB").default(20_000),
  maxPagesPerHour: whole(1, 1_000_000, "pages").default(20_000),
  maxReadingsAtOnce: whole(1, 1000, "readings").default(20),
});
export type DocumentRules = z.infer<typeof DocumentRules>;

const names: Record<string, string> = { pdf: "PDF", png: "PNG", jpg: "JPEG", webp: "WebP", tif: "TIFF", gif: "GIF", avif: "AVIF" };

/** What is taken and what becomes of it, in words, to be shown before a file is dropped. */
export function documentHint(rules: DocumentRules): string {
  const kinds = Object.values(acceptedTypes).map(([ending]) => names[ending] ?? ending);
  const list = `${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1) ?? ""}`;
  return `${list}, up to ${rules.maxDocumentMegabytes} MB, ${rules.maxDocumentPages} pages and ${rules.maxPageMegapixels} megapixels a page. ${keptFor(rules.retentionHours)}`;
}

/** What becomes of a document. */
export function keptFor(retentionHours: number): string {
  if (retentionHours === 0) return "Never stored: it stays in memory while this tab shows the playground.";
  if (retentionHours % 24 === 0 && retentionHours > 24) return `Deleted after ${retentionHours / 24} days.`;
  return `Deleted after ${retentionHours} ${retentionHours === 1 ? "hour" : "hours"}.`;
}

// Control characters, and those that turn the direction of what follows: "invoice_gpj.exe" must not look like "invoice_exe.jpg".
const deceptive = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** A given file name as it may be shown: without characters that hide or turn others; never part of a path. */
export function shownName(given: string): string {
  return given.replace(deceptive, "").trim() || "Document";
}
