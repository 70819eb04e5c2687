import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Caller } from "@/lib/domain/caller";
import type { Db } from "@/lib/platform/db";
import { EMBEDDED_ENGINE_SETTING } from "@/lib/services/engines";
import { execute } from "@/lib/services/pipeline";
import { documentsUpload } from "@/lib/services/documents";
import { createEnvironment, createPerson } from "./callers";

/** A data folder and a master key of the test file's own; to be called before anything reads the configuration. */
export function useOwnDataFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "lectern-test-"));
  process.env.LECTERN_DATA_DIR = folder;
  process.env.LECTERN_MASTER_KEY = randomBytes(32).toString("base64");
  process.env.DATABASE_URL ??= "postgresql://unused";
  process.env.LECTERN_LOG_LEVEL = "silent";
  return folder;
}

/** A PDF with that many pages, each with the words; made by hand, so that its bytes are known. */
export function makePdf(pages: number, words = "Hello"): Uint8Array {
  const kids = Array.from({ length: pages }, (_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"];
  for (let number = 1; number <= pages; number += 1) {
    const content = `BT /F1 24 Tf 40 700 Td (${words} ${number}) Tj ET`;
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`);
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`);
}

export function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new Response(new Uint8Array(bytes)).body ?? new ReadableStream();
}

export type Desk = { environmentId: string; userId: string; caller: Caller; upload(bytes: Uint8Array, name?: string): Promise<string> };

/** An environment with a person who may read documents there, and the engine at that address as the embedded one. */
export async function makeDesk(db: Db, slug: string, engineUrl: string): Promise<Desk> {
  const environmentId = await createEnvironment(db, slug);
  const { id: userId, caller } = await createPerson(db, `Reader ${slug}`, { roles: { [environmentId]: "analyst" } });
  const value = { url: engineUrl };
  await db.setting.upsert({ where: { key: EMBEDDED_ENGINE_SETTING }, create: { key: EMBEDDED_ENGINE_SETTING, value }, update: { value } });
  const upload = async (bytes: Uint8Array, name = "contract.pdf") => {
    const { id } = await execute(documentsUpload, { db, caller, input: { environmentId, name }, body: streamOf(bytes) });
    return id;
  };
  return { environmentId, userId, caller, upload };
}
