import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

/** Every address under /api and what stands between it and the data. A route without a line here fails: deny by default begins with knowing them all. */
const GUARDED_BY: Record<string, string> = {
  "[operation]": "the pipeline",
  "auth/[...nextauth]": "sign-in itself: lib/platform/auth-handler.ts",
  events: "the pipeline, by each topic's read",
  health: "nothing: says only that the process lives",
  "hooks/[template]": "the template's own secret: GitHub's signature, GitLab's token or a bearer token",
  mcp: "the pipeline, for tokens only",
  "openapi.json": "nothing: describes the code",
  ready: "nothing: says only whether the database answers and is at this version",
};

it("knows every route", () => {
  const here = path.join(process.cwd(), "app/api");
  const files = readdirSync(here, { recursive: true, encoding: "utf8" }).filter((file) => path.basename(file) === "route.ts");
  expect(files.map((file) => path.dirname(file)).sort()).toEqual(Object.keys(GUARDED_BY).sort());
});
