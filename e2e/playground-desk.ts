import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import manifest from "../public/samples/manifest.json" with { type: "json" };
import { SAMPLES_DIR } from "./settings";

/** The words that a good reading of the sample's first page finds. */
export function expectedWords(file: string): string[] {
  return manifest.documents.find((each) => each.file === file)?.expect.mustContain ?? [];
}

export const samplePath = (file: string) => path.resolve(SAMPLES_DIR, file);

/** The playground as three specs use it. */
export class Desk {
  readonly blocks: Locator;
  readonly boxes: Locator;
  readonly text: Locator;
  readonly pages: Locator;

  constructor(readonly page: Page) {
    this.text = page.getByRole("list", { name: "Text of the page" });
    this.blocks = this.text.getByRole("button", { name: /show its box$/ });
    this.boxes = page.getByRole("list", { name: "Blocks on the page" }).getByRole("button");
    this.pages = page.getByRole("list", { name: "Pages" }).getByRole("button");
  }

  /** The page takes files only once its code runs, which the live stream shows. */
  async open(query: string): Promise<void> {
    await this.page.goto(`/playground?${query}`);
    await expect(this.page.getByRole("status").filter({ hasText: "live" })).toBeVisible();
  }

  async choose(...files: string[]): Promise<void> {
    await this.page.getByLabel("Choose documents").setInputFiles(files);
  }

  /** Drops files as the operating system does: the browser itself makes the events. */
  async drop(...files: string[]): Promise<void> {
    const zone = await this.page.getByRole("group", { name: "Drop documents here" }).boundingBox();
    if (!zone) throw new Error("there is no drop zone");
    const session = await this.page.context().newCDPSession(this.page);
    const point = { x: zone.x + zone.width / 2, y: zone.y + 20, data: { items: [], files, dragOperationsMask: 1 } };
    for (const type of ["dragEnter", "dragOver", "drop"] as const) await session.send("Input.dispatchDragEvent", { type, ...point });
    await session.detach();
  }

  async expectWords(words: readonly string[]): Promise<void> {
    for (const word of words) await expect(this.text, word).toContainText(word, { timeout: 60_000 });
  }

  async expectRead(): Promise<void> {
    await expect(this.page.getByRole("button", { name: "Read again" })).toBeVisible({ timeout: 90_000 });
  }
}
