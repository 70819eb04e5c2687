import "server-only";
import { z } from "zod";
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from "@/lib/domain/export-format";
import { parseGrounding } from "@/lib/domain/grounding";
import { isKept } from "@/lib/domain/grounding-markdown";
import type { FileAnswer } from "@/lib/platform/door";
import { toFiles, type ExportedRun } from "./export-files";
import { streamPdf } from "./export-pdf-pages";
import { read } from "./operation";
import { environmentOfRun, openPageText, readableRun, type ReadableRun } from "./run-rows";

/** The run as it is taken away: pages with the blocks that are kept, which are those that the screen shows. */
function exportedRun(run: ReadableRun, hide: ReadonlySet<string>): ExportedRun {
  const pages = run.pages.map((page) => ({
    number: page.number,
    width: page.width ?? 1,
    height: page.height ?? 1,
    state: page.state,
    reason: page.reason || page.note,
    blocks: parseGrounding(openPageText({ id: page.id, environmentId: run.environmentId }, page.sealedText)).filter((block) => isKept(block, { hide })),
  }));
  return { name: run.document.name, model: run.pages.find((page) => page.modelReported)?.modelReported ?? run.modelId, mode: run.mode === "plain" ? "plain" : "grounding", pages };
}

export const runsExport = read({
  name: "runs.export",
  summary: "The text of a run as a file; labels that are hidden are left out",
  permission: "document.read",
  environment: environmentOfRun,
  audited: true,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), format: z.enum(EXPORT_FORMAT_NAMES), hide: z.array(z.string().max(60)).max(50).optional() }),
  output: z.custom<FileAnswer>(),
  target: (input) => ({ type: "run", id: input.id, detail: { format: input.format } }),
  run: async ({ caller, db, input, signal }) => {
    const run = await readableRun(db, caller.actor, input.id);
    const exported = exportedRun(run, new Set(input.hide));
    const kind = EXPORT_FORMATS.find(({ format }) => format === input.format) ?? EXPORT_FORMATS[0];
    const fileName = `${baseName(run.document.name)}.${kind.ending}`;
    if (input.format === "pdf") return { body: streamPdf({ db, run, exported, signal }), mediaType: kind.mediaType, fileName };
    const body = toFiles(exported)[input.format]();
    return { body, mediaType: kind.mediaType, fileName, bytes: body.byteLength };
  },
});

const MAX_NAME = 100; // with its ending, every file system takes it

/** The last part of the given name, without its ending. */
function baseName(name: string): string {
  const last = (name.split(/[\\/]/).at(-1) ?? name).replace(/\.[^.]+$/, "");
  return [...last].slice(0, MAX_NAME).join("").trim() || "document";
}
