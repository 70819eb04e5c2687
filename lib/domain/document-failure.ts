import { acceptedTypes, fileExtension, type DocumentLimits } from "./document";
import { DomainError, type ErrorCode } from "./errors";

/** Why a document, or one page of it, cannot be read. */
export type DocumentReason =
  | "encrypted"
  | "empty"
  | "corrupt"
  | "no_pages"
  | "too_large"
  | "too_many_pages"
  | "too_many_pixels"
  | "unsupported_type"
  | "name_mismatch"
  | "page_timeout"
  | "page_memory"
  | "page_failed";

const codeOfReason: Record<DocumentReason, ErrorCode> = {
  encrypted: "unprocessable",
  empty: "unprocessable",
  corrupt: "unprocessable",
  no_pages: "unprocessable",
  too_large: "too_large",
  too_many_pages: "too_large",
  too_many_pixels: "too_large",
  unsupported_type: "unsupported_type",
  name_mismatch: "unsupported_type",
  page_timeout: "unprocessable",
  page_memory: "unprocessable",
  page_failed: "unprocessable",
};

/** A bad file or page. `reason` is stored and filtered by; the message is the sentence that people see. */
export class DocumentError extends DomainError {
  readonly reason: DocumentReason;

  constructor(reason: DocumentReason, message: string) {
    super(codeOfReason[reason], message);
    this.name = "DocumentError";
    this.reason = reason;
  }
}

/** What the sentence is about: the limits that were in force, the file's given name, and what the content turned out to be. */
export type FailureFacts = { limits: DocumentLimits; name?: string; detected?: string };

/** The failure with its sentence: the cause and the remedy, without a word of the document. */
export function documentError(reason: DocumentReason, facts: FailureFacts): DocumentError {
  return new DocumentError(reason, sentence(reason, facts));
}

function sentence(reason: DocumentReason, { limits, name = "", detected }: FailureFacts): string {
  switch (reason) {
    case "encrypted":
      return "The PDF is protected by a password; save a copy without the password and upload that.";
    case "empty":
      return "The file is empty (0 bytes); check that it was saved or downloaded completely, and upload it again.";
    case "corrupt":
      return "The file is damaged or incomplete and cannot be opened; export or download it again.";
    case "no_pages":
      return "The document has no pages; export it again from the program that made it.";
    case "too_large":
      return `The file is larger than the limit of ${Math.round(limits.maxBytes / (1024 * 1024))} MB; split it or save it with smaller pictures.`;
    case "too_many_pages":
      return `The document has more pages than the limit of ${limits.maxPages}; split it into smaller files.`;
    case "too_many_pixels":
      return `A picture in the file is larger than the limit of ${Math.round(limits.maxPixelsPerPage / 1_000_000)} megapixels; scale it down and upload it again.`;
    case "unsupported_type":
      return unsupportedSentence(detected && detected !== "xml" ? detected : fileExtension(name));
    case "name_mismatch":
      return mismatchSentence(fileExtension(name), detected);
    case "page_timeout":
      return `The page took longer than ${Math.round(limits.pageTimeoutMs / 1000)} seconds to draw and was stopped; print the document to a new PDF and try that.`;
    case "page_memory":
      return "The page needs more memory than one page may use and was stopped; print the document to a new PDF and try that.";
    case "page_failed":
      return "The page could not be drawn because its content is damaged; print the document to a new PDF and try that.";
  }
}

function mismatchSentence(ending: string, detected = "something else"): string {
  const canBeRead = Object.values(acceptedTypes).some((endings) => endings.some((each) => each === detected));
  const remedy = canBeRead ? "rename the file or upload the right one." : unsupportedSentence(detected).replace(/^[^;]*; /, "");
  return `The name ends in .${ending}, but the content is ${detected.toUpperCase()}; ${remedy}`;
}

const conversions: { types: string[]; what: string; remedy: string }[] = [
  { types: ["heic", "heif", "heics", "heifs"], what: "HEIC pictures", remedy: "export the photo as JPEG" },
  { types: ["svg", "svgz", "eps", "ai", "ps"], what: "Vector drawings", remedy: "export the drawing as PDF or PNG" },
  {
    types: ["bmp", "ico", "psd", "jp2", "jpx", "jpm", "j2k", "jxl", "jxr"],
    what: "Pictures of this kind",
    remedy: "save the picture as PNG or JPEG",
  },
  {
    types: ["zip", "gz", "tgz", "tar", "7z", "rar", "bz2", "xz", "zst"],
    what: "Archives",
    remedy: "unpack the archive and upload the files in it",
  },
  {
    types: ["doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "cfb", "pages", "numbers", "key", "epub"],
    what: "Office documents",
    remedy: "save or print the document as PDF",
  },
  {
    types: ["html", "htm", "xml", "txt", "md", "csv", "json", "eml"],
    what: "Text files",
    remedy: "they need no reading; print to PDF if you want a page",
  },
];

function unsupportedSentence(type: string): string {
  const known = conversions.find(({ types }) => types.includes(type));
  if (known) return `${known.what} cannot be read here; ${known.remedy}.`;
  return "Files of this kind cannot be read here; save the document as PDF, PNG or JPEG.";
}
