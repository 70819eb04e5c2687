/** The forms in which a run's text can be taken away, in the order of the menu; each as its file name ends and its media type. */
export const EXPORT_FORMATS = [
  { format: "markdown", title: "Markdown", ending: "md", mediaType: "text/markdown; charset=utf-8" },
  { format: "json", title: "JSON", ending: "json", mediaType: "application/json" },
  { format: "html", title: "HTML", ending: "html", mediaType: "text/html; charset=utf-8" },
  { format: "text", title: "Plain text", ending: "txt", mediaType: "text/plain; charset=utf-8" },
  { format: "csv", title: "Tables as CSV", ending: "csv", mediaType: "text/csv; charset=utf-8" },
  { format: "xlsx", title: "Tables as XLSX", ending: "xlsx", mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  { format: "hocr", title: "hOCR", ending: "hocr", mediaType: "application/xhtml+xml; charset=utf-8" },
  { format: "alto", title: "ALTO XML", ending: "xml", mediaType: "application/xml; charset=utf-8" },
  { format: "pdf", title: "Searchable PDF", ending: "pdf", mediaType: "application/pdf" },
  { format: "zip", title: "Everything as ZIP", ending: "zip", mediaType: "application/zip" },
] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number]["format"];
export const EXPORT_FORMAT_NAMES = EXPORT_FORMATS.map(({ format }) => format) as [ExportFormat, ...ExportFormat[]]; // the list is not empty
