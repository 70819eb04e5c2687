import { mkdtempSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "./fixtures";
import { Desk, expectedWords, samplePath } from "./playground-desk";

let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "lectern-e2e-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.beforeEach(({ cleanDesk }) => cleanDesk);

const RECEIPT = "receipt-thermal.jpg";
const made = (name: string) => path.join(folder, name);

async function webp(): Promise<string> {
  await sharp(samplePath(RECEIPT)).webp({ quality: 95 }).toFile(made("receipt.webp"));
  return made("receipt.webp");
}

/** That many pages in one TIFF, each the same sample. */
async function tiff(pages: number, sample = "multilingual.tif"): Promise<string> {
  const page = await sharp(samplePath(sample)).toColourspace("srgb").removeAlpha().png().toBuffer();
  await sharp(Array<Buffer>(pages).fill(page), { join: { animated: true } }).removeAlpha().tiff({ compression: "lzw" }).toFile(made("pages.tiff"));
  return made("pages.tiff");
}

test.describe("what can be read, by the embedded engine", () => {
  const kinds = [
    { kind: "PNG", file: async () => samplePath("form-boxes.png"), words: ["CONTOSO LTD", "ANGEL BROWN"], pages: 1 },
    { kind: "JPEG", file: async () => samplePath(RECEIPT), words: expectedWords(RECEIPT).slice(0, 1), pages: 1 },
    { kind: "WebP", file: webp, words: expectedWords(RECEIPT).slice(0, 1), pages: 1 },
    { kind: "TIFF of two pages", file: () => tiff(2, RECEIPT), words: expectedWords(RECEIPT).slice(0, 1), pages: 2 },
  ];
  for (const { kind, file, words, pages } of kinds) {
    test(`${kind}: its words and boxes`, async ({ page }) => {
      const desk = new Desk(page);
      await desk.open("engine=embedded&preset=fast");
      await desk.choose(await file());
      await expect(page.getByRole("main")).toContainText("Embedded CPU engine: not LightOnOCR-3");
      await desk.expectWords(words);
      await desk.expectRead();
      await expect(desk.pages).toHaveCount(pages);
      await desk.pages.last().click();
      await desk.expectWords(words);
      await expect(desk.boxes.first()).toBeVisible();
      await expect.poll(() => desk.boxes.count()).toBeGreaterThan(1);
    });
  }
});

test("bad files: each says its own cause, and the good ones of the same drop go on", async ({ page, faults }) => {
  for (const status of [413, 415, 422]) faults.expect(status, "/api/documents.upload");
  copyFileSync(samplePath("form-boxes.png"), made("renamed.pdf"));
  writeFileSync(made("letter.docx"), "not really");
  const desk = new Desk(page);
  await desk.open("engine=embedded&preset=fast");
  await desk.drop(samplePath("encrypted.pdf"), samplePath("empty.pdf"), samplePath("corrupt.pdf"), made("renamed.pdf"), samplePath("scan-simple.pdf"), made("letter.docx"));
  const uploads = page.getByRole("list", { name: "Uploads" });
  const sentences: [string, string][] = [
    ["encrypted.pdf", "The PDF is protected by a password; save a copy without the password and upload that."],
    ["empty.pdf", "The file is empty (0 bytes); check that it was saved or downloaded completely, and upload it again."],
    ["corrupt.pdf", "The file is damaged or incomplete and cannot be opened; export or download it again."],
    ["renamed.pdf", "The name ends in .pdf, but the content is PNG; rename the file or upload the right one."],
    ["letter.docx", "Office documents cannot be read here; save or print the document as PDF."],
  ];
  for (const [file, sentence] of sentences) await expect(uploads).toContainText(`${file}: ${sentence}`);
  await expect(page.getByRole("heading", { name: "scan-simple.pdf" })).toBeVisible();
  await desk.expectWords(["Docling bundles PDF document conversion to"]);
  await page.getByRole("button", { name: "Dismiss empty.pdf" }).click();
  await expect(uploads).not.toContainText("empty.pdf");
});

test("a file over the limit is refused with the limit", async ({ page, faults }) => {
  faults.expect(413, "/api/documents.upload");
  writeFileSync(made("large.pdf"), Buffer.alloc(51 * 1024 * 1024, "%PDF-1.7\n"));
  const desk = new Desk(page);
  await desk.open("engine=embedded");
  await desk.choose(made("large.pdf"));
  await expect(page.getByRole("list", { name: "Uploads" })).toContainText("larger than the limit of 50 MB", { timeout: 30_000 });
});

test("boxes appear while the engine still works on other pages, and cancelling keeps what was read", async ({ page }) => {
  const desk = new Desk(page);
  await desk.open("engine=embedded&preset=fast");
  await desk.drop(await tiff(12));
  await expect(desk.pages).toHaveCount(12);
  await expect(desk.boxes.first()).toBeVisible({ timeout: 60_000 });
  const progress = page.getByRole("progressbar", { name: "Reading" });
  await expect(progress).toBeVisible();
  await expect(desk.pages.filter({ hasText: /queued|running/ }).first()).toBeVisible();
  await expect(desk.pages.filter({ hasText: "done" }).first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(desk.pages.filter({ hasText: "cancelled" }).first()).toBeVisible();
  await expect(desk.pages.filter({ hasText: /queued|running/ })).toHaveCount(0);
  await desk.pages.filter({ hasText: "done" }).first().click();
  await desk.expectWords(expectedWords("multilingual.tif").slice(0, 1));
});

test("the keyboard alone: choose, read, go through the blocks, download", async ({ page, owner }) => {
  await owner.upload("scan-simple.pdf", (await owner.environment("development")).id);
  const desk = new Desk(page);
  await desk.open("engine=embedded&preset=fast");
  const press = async (name: string | RegExp, role: "button" | "menuitem" = "button") => {
    const target = page.getByRole(role, { name }).first();
    await expect(target).toBeVisible();
    await target.focus();
    await page.keyboard.press("Enter");
  };
  await press(/^scan-simple\.pdf/);
  await press("Read");
  await desk.expectRead();
  await desk.boxes.first().focus();
  await page.keyboard.press("Space");
  await expect(desk.blocks.first()).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Space");
  await expect(desk.blocks.first()).toHaveAttribute("aria-pressed", "false");
  await press("Download");
  await expect(page.getByRole("menuitem", { name: "Markdown" })).toBeFocused();
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(file.suggestedFilename()).toBe("scan-simple.md");
});
