import "server-only";
import { Readable } from "node:stream";
import { z } from "zod";
import { DocumentPage } from "@/lib/domain/document";
import { renderModelOf } from "@/lib/domain/document-rendering";
import { writePdf, type PdfPage } from "@/lib/domain/export-pdf";
import type { Db } from "@/lib/platform/db";
import { toJpeg } from "@/lib/platform/raster/jpeg";
import type { ExportedRun } from "./export-files";
import { drawPage, presetOf } from "./page-image";
import type { ReadableRun } from "./run-rows";

/** Pictures have no size on paper: they are shown at this density. */
const PICTURE_DPI = 150;

type PdfExport = { db: Db; run: ReadableRun; exported: ExportedRun; signal: AbortSignal | undefined };

/** The searchable PDF, drawn page by page while it is sent: pictures as the model was given them, its text invisible over them. */
export function streamPdf(input: PdfExport): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(writePdf(input.exported.name, pagesOf(input)), { objectMode: false })) as ReadableStream<Uint8Array>; // the same stream; Node and the DOM type it apart
}

async function* pagesOf({ db, run, exported, signal }: PdfExport): AsyncGenerator<PdfPage> {
  const known = z.array(DocumentPage).parse(run.document.pages);
  for (const page of exported.pages) {
    const info = known.find(({ number }) => number === page.number);
    const preset = presetOf(run.pages.find(({ number }) => number === page.number)?.preset ?? run.preset);
    const drawn = await drawPage(db, run.document, { number: page.number, model: renderModelOf(run.modelId), preset, signal }).catch(() => null);
    if (!info || !drawn) continue; // a page that cannot be drawn has no picture to show
    const [widthPt, heightPt] = "widthPt" in info ? [info.widthPt, info.heightPt] : [(info.widthPx * 72) / PICTURE_DPI, (info.heightPx * 72) / PICTURE_DPI];
    yield { page: { ...page, width: drawn.width, height: drawn.height }, jpeg: await toJpeg(drawn.png), widthPt, heightPt };
  }
}
