import { expect, type Page } from "@playwright/test";

type Expected = { status: number; path: string };

/** Collects what a browser complains about; the test fails for each complaint that it did not announce. */
export class ConsoleFaults {
  private readonly seen: { text: string; url: string }[] = [];
  private readonly expected: Expected[] = [];
  private readonly pages: Page[] = [];

  watch(page: Page): void {
    this.pages.push(page);
    page.on("console", (message) => message.type() === "error" && this.seen.push({ text: message.text(), url: message.location().url }));
    page.on("pageerror", (error) => this.seen.push({ text: `uncaught ${error.stack ?? error.message}`, url: page.url() }));
    page.on("crash", () => this.seen.push({ text: "the page crashed", url: page.url() }));
  }

  /** Announces the line that the browser itself writes for a refusal which the test provokes. */
  expect(status: number, path: string): void {
    this.expected.push({ status, path });
  }

  /** Has every open page leave, so that none asks for what is now taken away behind it. */
  async leave(): Promise<void> {
    await Promise.all(this.pages.filter((page) => !page.isClosed()).map((page) => page.goto("about:blank")));
  }

  private isExpected({ text, url }: { text: string; url: string }): boolean {
    return this.expected.some(({ status, path }) => text.startsWith(`Failed to load resource: the server responded with a status of ${status}`) && url.includes(path));
  }

  check(): void {
    expect(this.seen.filter((one) => !this.isExpected(one)), "errors in the browser's console").toEqual([]);
  }
}
