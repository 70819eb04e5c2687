import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, NOBODY, test } from "./fixtures";
import { Desk } from "./playground-desk";
import { PICTURES_DIR } from "./settings";

const SIZES = [
  { name: "desktop", width: 1440, height: 900 },
  { name: "phone", width: 390, height: 844 },
] as const;
const THEMES = ["light", "dark"] as const;

type Screen = { name: string; path: string; heading: string | RegExp };

/** The page has shown what it was asked for, and nothing on it is still being loaded. */
async function settle(page: Page, { path, heading }: Screen): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

async function inspect(page: Page, name: string): Promise<void> {
  await look(page, name);
  // No frames here, so what axe does for them, a page of its own for every answer, is left out ("legacy" is its word for that).
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).options({ resultTypes: ["violations"] }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect.soft(grave.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

/** Nothing reaches past the page's edge. With PICTURES_DIR the whole screen is kept there, for a person to look at. */
async function look(page: Page, name: string): Promise<void> {
  if (PICTURES_DIR) await page.screenshot({ path: path.join(PICTURES_DIR, "screens", `${name}.png`), fullPage: true, animations: "disabled" });
  expect.soft(await page.evaluate(tooWide), `${name}: the page scrolls sideways because of`).toEqual([]);
}

/** In the page: the elements that reach past its right edge, when it can be scrolled there. */
function tooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const past = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
  return [`${scrollWidth - clientWidth} px`, ...past.slice(-3).map((element) => element.outerHTML.slice(0, 200))];
}

/** Every screen is loaded once and then seen in both sizes and themes, as by a person who turns a tablet or the lights. */
async function inspectAll(page: Page, screens: Screen[]): Promise<void> {
  for (const screen of screens) {
    await page.setViewportSize(SIZES[0]);
    await settle(page, screen);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${theme}\\b`));
        // The dark theme's colours were looked into on the desktop, and the phone's layout in light.
        const isKnown = size.name === "phone" && theme === "dark";
        await (isKnown ? look : inspect)(page, `${screen.name}-${size.name}-${theme}`);
      }
    }
  }
}

test.describe("before signing in", () => {
  test.use({ storageState: NOBODY });

  test("the doors", async ({ page, faults }) => {
    faults.expect(404, "/no-such-page");
    faults.expect(422, "/api/invitations.open");
    await inspectAll(
      page,
      [
        { name: "login", path: "/login", heading: "Sign in" },
        { name: "login-ended", path: "/login?error=SessionEnded", heading: "Sign in" },
        { name: "setup", path: "/setup#not-a-real-secret", heading: "Become the owner" },
        { name: "invite", path: "/invite#not-a-real-secret", heading: "Accept the invitation" },
        { name: "not-found", path: "/no-such-page", heading: "There is no such page." },
      ],
    );
  });
});

test("the portal's screens", async ({ page, owner, deployed }) => {
  test.setTimeout(480_000);
  const { id } = await deployed({ name: "on-show" });
  const { users } = await owner.read("users.list", {});
  expect(users.length).toBeGreaterThan(0);
  const clusterId = (await owner.read("clusters.list", {})).clusters[0]?.id;
  await inspectAll(
    page,
    [
      { name: "overview", path: "/", heading: "Overview" },
      { name: "deploy", path: "/deploy", heading: "Deploy" },
      { name: "deployments", path: "/deployments", heading: "Deployments" },
      { name: "deployment", path: `/deployments/${id}`, heading: "on-show" },
      { name: "costs", path: "/costs?env=development", heading: "Costs of Development" },
      { name: "costs-empty", path: "/costs?env=production", heading: "Costs of Production" },
      { name: "costs-showcase", path: "/costs?env=showcase", heading: "Costs of Showcase" },
      { name: "environments", path: "/environments", heading: "Environments" },
      { name: "environment", path: "/environments/development", heading: "Development" },
      { name: "clusters", path: "/clusters", heading: "Clusters" },
      { name: "cluster", path: `/clusters/${clusterId}`, heading: "Sandbox" },
      { name: "approvals", path: "/approvals", heading: "Approvals" },
      { name: "batches", path: "/batches", heading: "Batches" },
      { name: "compare", path: "/compare", heading: "Compare" },
      { name: "catalogue", path: "/deploy/catalogue", heading: "Catalogue" },
      { name: "previews", path: "/environments/previews", heading: "Preview environments" },
      { name: "audit", path: "/audit", heading: "Audit" },
      ...["account", "tokens", "people", "limits", "roles"].map((tab) => ({ name: `settings-${tab}`, path: `/settings?tab=${tab}`, heading: "Settings" })),
    ],
  );
});

test("the playground, empty and with a document", async ({ page, owner, cleanDesk }) => {
  void cleanDesk;
  const { id } = await owner.upload("invoice-en.pdf", (await owner.environment("development")).id);
  const run = await owner.write("runs.start", { documentId: id, deploymentId: null });
  await expect.poll(async () => (await owner.read("runs.get", { id: run.id })).run.state, { timeout: 60_000 }).toBe("done");
  const withDocument = { name: "playground-document", path: `/playground?doc=${id}&run=${run.id}&engine=embedded`, heading: "invoice-en.pdf" };
  await settle(page, withDocument);
  await new Desk(page).expectWords(["CONTOSO"]);
  await inspectAll(page, [{ name: "playground", path: "/playground", heading: "Playground" }, withDocument]);
});

test("what opens on a screen: palette, menus, dialogs", async ({ page, deployed }) => {
  const { id } = await deployed({ name: "on-show", isReady: false });
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await settle(page, { name: "deployment", path: `/deployments/${id}`, heading: "on-show" });
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
    await page.keyboard.type("audit");
    await inspect(page, `palette-${theme}`);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Audit" })).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await inspect(page, `delete-dialog-${theme}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Environment: / }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await inspect(page, `environment-menu-${theme}`);
    await page.keyboard.press("Escape");
  }
});
