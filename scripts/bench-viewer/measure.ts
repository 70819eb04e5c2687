import type { Browser, CDPSession, Page } from "@playwright/test";
import { SESSION_COOKIE } from "@/lib/domain/session";
import type { Db } from "@/lib/platform/db";
import { makeSession } from "../test/principals.ts";

type Target = { db: Db; origin: string; personId: string };

const FRAME_MS = 1000 / 60;
const LATE = 1.5; // an interval of more than this many frames has left one out

/** Written as text: what turns TypeScript into JavaScript here gives named functions a helper that the page does not have. */
const START = "window.frames60 = { at: [], isOver: false }; (function tick(now) { frames60.at.push(now); if (!frames60.isOver) requestAnimationFrame(tick); })(performance.now())";
const END = "frames60.isOver = true, frames60.at.slice(1)";

/** Intervals between frames while something goes on, in milliseconds. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(START);
  await work();
  const at = await page.evaluate<number[]>(END);
  return at.slice(1).map((now, index) => now - (at[index] ?? now));
}

function report(name: string, frames: number[]): void {
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  const inTime = frames.filter((ms) => ms < FRAME_MS * LATE).length / frames.length;
  const perSecond = (frames.length * 1000) / frames.reduce((sum, ms) => sum + ms, 0);
  const facts = `${frames.length} frames, ${perSecond.toFixed(1)} a second, p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, longest ${at(1).toFixed(0)} ms`;
  console.log(`${name.padEnd(42)} ${`${(inTime * 100).toFixed(1)} %`.padStart(8)} of frames in time   ${facts}   target ≥ 95 %`);
}

/** A finger or wheel that moves evenly: the browser itself makes the events. */
function scroll(session: CDPSession, at: { x: number; y: number }, by: { xDistance?: number; yDistance?: number; repeatCount?: number }) {
  return session.send("Input.synthesizeScrollGesture", { ...at, speed: 900, repeatDelayMs: 0, gestureSourceType: "mouse", ...by });
}

async function centre(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`There is no ${selector} to be measured.`);
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

async function openPage(browser: Browser, { db, origin, personId }: Target): Promise<Page> {
  const { headers } = await makeSession(db, personId);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: SESSION_COOKIE, value: headers.cookie.slice(SESSION_COOKIE.length + 1), domain: "localhost", path: "/", secure: true, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.goto(`${origin}/playground`);
  await page.getByRole("status").filter({ hasText: "live" }).waitFor(); // its code runs, and is in the browser's cache
  return page;
}

const SCROLLER = "[data-page-scroller]";

async function measureBoxes(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const items = page.getByRole("list", { name: "Blocks on the page" }).getByRole("listitem");
  await items.first().getByRole("button").waitFor();
  const boxes = await items.count();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("+"); // larger than its place, so that there is something to pan
  const at = await centre(page, SCROLLER);
  const session = await page.context().newCDPSession(page);
  await page.mouse.move(at.x, at.y);
  report(`${boxes} boxes: pan`, await framesDuring(page, async () => {
    for (let round = 0; round < 3; round += 1) {
      await scroll(session, at, { yDistance: -500 });
      await scroll(session, at, { yDistance: 500 });
    }
  }));
  report(`${boxes} boxes: zoom`, await framesDuring(page, async () => {
    for (let step = 0; step < 120; step += 1) {
      await session.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...at, deltaX: 0, deltaY: step % 60 < 30 ? -8 : 8, modifiers: 2 });
    }
  }));
  report(`${boxes} boxes: the pointer over them`, await framesDuring(page, async () => {
    for (let step = 0; step < 90; step += 1) await page.mouse.move(at.x - 150 + step * 3, at.y + (step % 30));
  }));
}

async function measurePages(page: Page, url: string): Promise<void> {
  const started = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLImageElement>("[data-page-scroller] img")].some((image) => image.complete && image.naturalWidth > 0), undefined, { polling: "raf" });
  console.log(`${"first page of 500 in sight after".padEnd(42)} ${((performance.now() - started) / 1000).toFixed(2)} s   target ≤ 1 s`);
  const at = await centre(page, 'ol[aria-label="Pages"]');
  const session = await page.context().newCDPSession(page);
  const rows = await page.locator('ol[aria-label="Pages"] button').count();
  report(`500 pages (${rows} in the document): scroll`, await framesDuring(page, async () => {
    await scroll(session, at, { yDistance: -4000 });
    await scroll(session, at, { yDistance: 3000 });
  }));
}

/** Opens each address as a signed-in person does and prints how evenly it is drawn while it is used. */
export async function measureViewer(browser: Browser, target: Target, { dense, long }: { dense: string; long: string }): Promise<void> {
  const page = await openPage(browser, target);
  await measureBoxes(page, `${target.origin}/playground?${dense}`);
  await measurePages(page, `${target.origin}/playground?${long}`);
}
