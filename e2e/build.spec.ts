import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";

const STATIC = ".next/static";
const SERVER_ONLY = /LECTERN_MASTER_KEY|DATABASE_URL|NEXTAUTH_SECRET|postgresql:\/\/|scrypt\$/;

const files = readdirSync(STATIC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));

test("the browser is given no source maps", () => {
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
  expect(files.filter((file) => file.endsWith(".js") && readFileSync(file, "utf8").includes("sourceMappingURL"))).toEqual([]);
});

test("nothing of the server's settings is in the browser's code", () => {
  expect(files.filter((file) => /\.(js|css)$/.test(file) && SERVER_ONLY.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("an unexpected failure answers with a request id and no inside", async ({ request }) => {
  const answer = await request.get("/api/documents.page?input=%7B%22id%22%3A%22\u0000%22%7D");
  expect(answer.status()).toBeLessThan(500);
  expect(await answer.text()).not.toMatch(/at .*\.(ts|js):\d+|node_modules/);
});
