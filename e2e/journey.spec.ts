import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, NOBODY, test } from "./fixtures";
import { Desk, expectedWords, samplePath } from "./playground-desk";
import { OWNER, OWNER_LINK_FILE, OWNER_STATE_FILE, PICTURES_DIR } from "./settings";

const FILE = "invoice-en.pdf";
const DEPLOYMENT = "first-light";

/** One picture per leg for README, when asked. */
async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES_DIR) await page.screenshot({ path: path.join(PICTURES_DIR, `${name}.png`), animations: "disabled" });
}

/** Counts what the person really clicks, in the page, from now on. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => (clicks += 1));
  const listen = () => document.addEventListener("click", (event) => event.isTrusted && event.detail > 0 && Reflect.get(window, "countClick")(), true);
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
}

async function download(page: Page, format: string): Promise<string> {
  await page.getByRole("button", { name: "Download" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: format }).click()]);
  return readFileSync(await file.path(), "utf8");
}

test.use({ storageState: NOBODY });

test.describe.configure({ mode: "serial" });

test("from the owner link to the bill: sign in, deploy, read, pay, and find it all in the log", async ({ page }) => {
  const clicks = await test.step("become the owner with the printed link", async () => {
    await page.goto(readFileSync(OWNER_LINK_FILE, "utf8"));
    await page.getByLabel("Your name").fill(OWNER.name);
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("New password").fill(OWNER.password);
    const count = await countClicks(page);
    await page.getByRole("button", { name: "Become owner" }).click();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    await page.context().storageState({ path: OWNER_STATE_FILE });
    return count;
  });

  await test.step("deploy the 0.8B model to development in at most 4 clicks", async () => {
    await page.getByRole("link", { name: "Deploy a model" }).click();
    await expect(page.getByRole("radio", { name: /^0\.8B/ })).toBeChecked();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(DEPLOYMENT);
    await expect(page.getByRole("region", { name: "What will be created" })).toContainText(`Deployment/${DEPLOYMENT}`);
    await picture(page, "deploy");
    await page.getByRole("button", { name: "Deploy to Development" }).click();
    await expect(page.getByRole("heading", { name: DEPLOYMENT })).toBeVisible();
    expect(clicks(), "clicks from the link to the started deployment").toBeLessThanOrEqual(4);
  });

  await test.step("watch the rollout until the model answers", async () => {
    const rollout = page.getByRole("region", { name: "Rollout" });
    await expect(rollout.getByRole("listitem").filter({ hasText: "under way" }).first()).toBeVisible();
    await expect(rollout.getByRole("listitem").filter({ hasText: "Answers" })).toContainText("done", { timeout: 60_000 });
    await expect(page.getByRole("main")).toContainText(/ready\s*since \d\d:\d\d/);
    await expect(page.getByRole("main")).toContainText("Sample page read in", { timeout: 60_000 });
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await picture(page, "deployment");
  });

  const desk = new Desk(page);
  await test.step("drop a document and find its words, with boxes", async () => {
    await page.getByRole("link", { name: "Read a document with it" }).click();
    await desk.drop(samplePath(FILE));
    await expect(page.getByRole("heading", { name: FILE })).toBeVisible();
    await desk.expectRead();
    await desk.expectWords(expectedWords(FILE));
    expect(await desk.boxes.count()).toBeGreaterThan(5);
    await expect(page.getByLabel("Engine")).toContainText(DEPLOYMENT);
  });

  await test.step("a block and its box find each other", async () => {
    const [box, block] = [desk.boxes.nth(2), desk.blocks.nth(2)];
    await box.click();
    await expect(block).toHaveAttribute("aria-pressed", "true");
    await block.click();
    await expect(box).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("heading", { name: FILE }).hover();
    const plain = await box.evaluate((element) => getComputedStyle(element).backgroundColor);
    await block.hover();
    await expect.poll(() => box.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(plain);
    await picture(page, "playground");
  });

  await test.step("hide a label, zoom", async () => {
    const [before, label] = [await desk.blocks.count(), page.getByRole("group", { name: "Labels" }).getByRole("button").first()];
    const count = Number(/(\d+)$/.exec((await label.innerText()).trim())?.[1]);
    expect(count).toBeGreaterThan(0);
    await label.click();
    await expect(desk.blocks).toHaveCount(before - count);
    await label.click();
    await expect(desk.blocks).toHaveCount(before);
    const picture = page.getByRole("img", { name: "Page 1 of the document" });
    const width = (await picture.boundingBox())?.width ?? 0;
    await page.getByRole("button", { name: "Larger" }).click();
    await expect(page.getByRole("group", { name: "Zoom" })).toContainText("125 %");
    await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan(width * 1.2);
    await page.getByRole("button", { name: "Fit the page" }).click();
  });

  await test.step("take the text away", async () => {
    const markdown = (await download(page, "Markdown")).replace(/\s+/g, " ");
    for (const word of expectedWords(FILE)) expect(markdown).toContain(word);
    const exported: unknown = JSON.parse(await download(page, "JSON"));
    expect(exported).toMatchObject({ schema: "lectern.document/1", name: FILE, pages: [{ page: 1, state: "done" }] });
    expect(JSON.stringify(exported)).toMatch(/"bbox":\[\d+/);
  });

  await test.step("the page and the node's time are on the bill", async () => {
    await page.getByRole("link", { name: "Costs" }).click();
    const figures = page.getByRole("region", { name: "Figures" });
    await expect(figures.getByText("Pages read").locator("..")).toHaveText(/^Pages read\s*1\s*data on/);
    await expect(figures.getByText("Node hours").locator("..")).toHaveText(/^Node hours\s*(0\.0\d|[1-9]\d*)\s(h|min)/);
    await expect(page.getByRole("region", { name: "Break-even" }).getByRole("img", { name: /^Cost of a month/ })).toBeVisible();
    for (const name of ["Textract", "Document AI", "Azure", "Mistral"]) await expect(page.getByRole("table", { name: /^Costs in/ })).toContainText(name);
    await picture(page, "costs");
  });

  await test.step("the log names what was done", async () => {
    await page.getByRole("link", { name: "Audit" }).click();
    for (const action of ["links.redeemOwner", "deployments.apply", "documents.upload", "runs.start", "runs.export"]) {
      await expect(page.getByRole("button", { name: new RegExp(`, ${action}$`) }).first()).toBeVisible();
    }
  });
});
