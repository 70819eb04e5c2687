import type { PriceBook } from "./price-book";

/** Pages per second of one busy GPU. `measured` comes from logged runs, `published` from a source, `estimated` from neither. */
export type RateSource = {
  pagesPerSecond: string;
  kind: "measured" | "published" | "estimated";
  basis: string;
  source: string;
  asOf: string;
};

/**
 * The listed rate of a model on a GPU ("LightOnOCR-3-0.8B" on "NVIDIA L4"); null when nobody published one. A low-confidence row is
 * an estimate and must be labelled so.
 */
export function listedRate(book: PriceBook, wanted: { model: string; gpu: string }): RateSource | null {
  const words = wanted.gpu.split(/\s+/);
  const row = book.throughput.find(
    (candidate) => candidate.model === wanted.model && words.includes(candidate.gpu) && candidate.pages_per_second,
  );
  if (!row?.pages_per_second) return null;
  const kind = row.confidence === "low" || row.source === "derived" ? "estimated" : "published";
  return { pagesPerSecond: row.pages_per_second, kind, basis: row.basis, source: row.source, asOf: row.as_of };
}

const NAMES_IN_BOOK: Record<string, string> = {
  "lightonocr-3-0.8b": "LightOnOCR-3-0.8B",
  "lightonocr-3-1b": "LightOnOCR-3-1B",
  "lightonocr-3-4b": "LightOnOCR-3-4B",
};

/** The name under which published rates list a model of the catalogue. */
export function modelInBook(modelId: string | null): string | undefined {
  return modelId === null ? undefined : NAMES_IN_BOOK[modelId];
}
