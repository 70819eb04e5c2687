import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPORT_FORMAT_NAMES } from "@/lib/domain/export-format";
import { db } from "@/lib/platform/db";
import { dispatch } from "@/lib/platform/http";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { useDatabase } from "@/scripts/test/database";
import { makeSession } from "@/scripts/test/principals";
import { makeDesk, makePdf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { door } from "./registry";
import { sealPageText } from "./run-rows";

useOwnDataFolder();
const test = useDatabase();
process.env.DATABASE_URL = test.url;
let desk: Desk;
let headers: { cookie: string };

beforeAll(async () => {
  desk = await makeDesk(test.db, "export-http", "http://127.0.0.1:9");
  ({ headers } = await makeSession(test.db, desk.userId));
});
afterAll(async () => {
  rasteriser().close();
  await db().$disconnect();
});

/** A document under that name, read. */
async function readDocument(name: string): Promise<{ documentId: string; runId: string }> {
  const documentId = await desk.upload(makePdf(1), name);
  const { id: runId } = await test.db.run.create({ data: { documentId, environmentId: desk.environmentId, modelId: "m", mode: "grounding", preset: "fast", state: "done", createdById: desk.userId } });
  const { id } = await test.db.runPage.create({ data: { runId, number: 1, state: "done", width: 100, height: 100 } });
  const sealedText = sealPageText({ id, environmentId: desk.environmentId }, "![text](1,1,900,90) <script>alert(1)</script>", { isHeld: false });
  await test.db.runPage.update({ where: { id }, data: { sealedText } });
  return { documentId, runId };
}

async function get(operation: string, input: unknown): Promise<Response> {
  const response = await dispatch(door, operation, new Request(`http://localhost:3000/api/${operation}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers }));
  expect(response.status).toBe(200);
  return response;
}

/** In the address bar, such an answer has an origin of its own and runs nothing: no `allow-scripts`, no `allow-same-origin`. */
function expectHarmless(response: Response): void {
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("cache-control")).toBe("no-store");
}

describe("a file that is taken away", () => {
  it.each([
    ["a way up", "../../etc/passwd.pdf", "passwd.md"],
    ["a header of its own", 'a"\r\nSet-Cookie: x=1\r\n\r\n<script>.pdf', null],
    ["a turned ending", "invoice\u202Efdp.exe.pdf", "invoicefdp.exe.md"],
    ["half a letter", "half\uD83D.pdf", null],
    ["quotes and stars", "it's (1)*.pdf", "it's (1)*.md"],
    ["300 characters", `${"n".repeat(296)}.pdf`, `${"n".repeat(100)}.md`],
  ])("has a name that does no harm: %s (F4)", async (_what, name, saved) => {
    const { runId } = await readDocument(name);
    const response = await get("runs.export", { id: runId, format: "markdown" });
    const disposition = response.headers.get("content-disposition") ?? "";
    const [, ascii = "", extended = ""] = /^attachment; filename="([A-Za-z0-9._ -]{1,120})"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(disposition) ?? [];
    expect(ascii, disposition).not.toBe("");
    const decoded = decodeURIComponent(extended);
    expect(decoded).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069/\\]/u);
    expect(ascii).toMatch(/\.md$/);
    if (saved) expect(decoded).toBe(saved);
    expectHarmless(response);
  });

  it.each(EXPORT_FORMAT_NAMES)("runs nothing in the portal's origin when its address is opened: %s (G2)", async (format) => {
    const { runId } = await readDocument("page.pdf");
    const response = await get("runs.export", { id: runId, format });
    expect(response.headers.get("content-disposition")).toMatch(/^attachment;/);
    expectHarmless(response);
    await response.body?.cancel();
  });

  it("is sandboxed as a picture too (G2)", async () => {
    const { documentId } = await readDocument("page.pdf");
    const response = await get("documents.page", { id: documentId, number: 1, modelId: "", preset: "fast", maxEdge: 64 });
    expect(response.headers.get("content-type")).toBe("image/png");
    expectHarmless(response);
  });
});
