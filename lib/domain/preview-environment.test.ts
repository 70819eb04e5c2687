import { describe, expect, it } from "vitest";
import { NamespaceName } from "./deployment";
import { hookEvent } from "./forge-hook";
import { commentText, previewNames } from "./preview-environment";

describe("names of a preview environment", () => {
  const id = "019ad9a0-1111-7222-8333-4444abcdef01";
  it.each([
    ["acme/portal", { slug: "pr-7-portal-abcdef01", namespace: "lectern-pr-7-portal-abcdef01", name: "portal #7" }],
    ["acme/Some_Repo.With--Odd__Name-", { slug: "pr-7-some-repo-with-odd-name-abcdef01", namespace: "lectern-pr-7-some-repo-with-odd-name-abcdef01", name: "Some_Repo.With--Odd__Name- #7" }],
    ["acme/___", { slug: "pr-7-abcdef01", namespace: "lectern-pr-7-abcdef01", name: "___ #7" }],
  ])("of %s are labels of Kubernetes", (repository, names) => expect(previewNames({ repository, number: 7, id })).toEqual(names));

  it("fit at any length, and no two ids share one", () => {
    const seen = new Set<string>();
    for (let one = 0; one < 200; one += 1) {
      const { slug, namespace } = previewNames({ repository: `group/${"long-".repeat(one)}x`, number: 1_999_999_999, id: `019ad9a0-1111-7222-8333-${String(one).padStart(12, "0")}` });
      expect(NamespaceName.safeParse(namespace).success).toBe(true);
      expect(slug.length).toBeLessThanOrEqual(40);
      expect(slug).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
      seen.add(namespace);
    }
    expect(seen.size).toBe(200);
  });
});

const github = (action: string, more: object = {}) => ({ action, repository: { full_name: "acme/portal" }, pull_request: { number: 7, title: "Read invoices", html_url: "https://github.com/acme/portal/pull/7", merged: false, head: { sha: "abc" }, ...more } });
const gitlab = (action: string) => ({ object_kind: "merge_request", project: { path_with_namespace: "acme/group/portal" }, object_attributes: { iid: 7, title: "Read invoices", url: "javascript:alert(1)", action, last_commit: { id: "abc" } } });

describe("a forge's event", () => {
  it.each([
    ["opened", "open"],
    ["reopened", "open"],
    ["synchronize", "open"],
    ["closed", "close"],
    ["labeled", "none"],
  ])("of GitHub: %s is %s", (action, expected) => expect(hookEvent("github", { event: "pull_request", body: github(action) })).toMatchObject({ action: expected, number: 7, repository: "acme/portal", commit: "abc" }));
  it.each([
    ["open", "open", false],
    ["update", "open", false],
    ["merge", "close", true],
    ["close", "close", false],
    ["approved", "none", false],
  ])("of GitLab: %s is %s", (action, expected, isMerged) => expect(hookEvent("gitlab", { event: "Merge Request Hook", body: gitlab(action) })).toMatchObject({ action: expected, isMerged, repository: "acme/group/portal" }));
  it("says whether it was merged", () => expect(hookEvent("github", { event: "pull_request", body: github("closed", { merged: true }) }).isMerged).toBe(true));
  it("of another kind is nothing", () => expect(hookEvent("github", { event: "ping", body: { zen: "…" } }).action).toBe("none"));
  it("leads to no address but the web's", () => expect(hookEvent("gitlab", { event: "Merge Request Hook", body: gitlab("open") }).url).toBe(""));
  it("that is not whole is refused with the fields that are wrong", () => {
    expect(() => hookEvent("github", { event: "pull_request", body: { action: "opened" } })).toThrow(expect.objectContaining({ code: "invalid_input", fields: expect.arrayContaining([expect.objectContaining({ path: "pull_request" })]) }));
    expect(() => hookEvent("token", { event: "", body: { action: "open", number: -1 } })).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});

it("a comment repeats nothing that came from outside", () => {
  const facts = { address: "https://lectern.example/environments/pr-7", model: "LightOnOCR-3 1B", gpu: "L4", expiresAt: new Date("2026-12-01T10:00:00Z"), idleMinutes: 30, reason: "it was merged" };
  expect(commentText({ state: "open", ...facts })).toContain("https://lectern.example/environments/pr-7");
  expect(commentText({ state: "open", ...facts })).toContain("2026-12-01 10:00 UTC");
  expect(commentText({ state: "removed", ...facts })).toContain("it was merged");
});
