import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { clusterHealth, PrivateRange, tokenExpiry } from "./cluster";
import { linkCommands, linkObjects, linkYaml, PROVIDERS } from "./cluster-manifest";
import { NEEDS, rightLines } from "./cluster-rights";

const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;

describe("the end of a token", () => {
  it.each([
    ["a JWT with exp", jwt({ exp: 1_796_000_000 }), new Date(1_796_000_000_000)],
    ["a JWT without", jwt({ sub: "x" }), null],
    ["an exp that is no time", jwt({ exp: "soon" }), null],
    ["an exp beyond all dates", jwt({ exp: 9e15 }), null],
    ["an opaque token", "abcdef", null],
    ["three parts that are no JSON", "a.b.c", null],
  ])("%s", (_what, token, expected) => {
    expect(tokenExpiry(token)).toEqual(expected);
  });
});

describe("ranges of private addresses", () => {
  it.each(["10.0.0.0/8", "192.168.3.0/24", "fd00:1::/48"])("takes %s", (range) => expect(PrivateRange.safeParse(range).success).toBe(true));
  it.each(["10.0.0.0", "0.0.0.0/0", "::/0", "10.0.0.0/7", "everything", "10.0.0.0/33"])("refuses %s", (range) => expect(PrivateRange.safeParse(range).success).toBe(false));
});

describe("the ready Role (D3)", () => {
  const roles = linkObjects("lectern-production").filter((object) => "rules" in object);
  const all = roles.flatMap((role) => ("rules" in role && role.rules ? role.rules.map((rule) => ({ kind: role.kind, ...rule })) : []));

  it("gives away nothing, becomes nobody, enters no pod and lists no secret", () => {
    expect(roles.map((role) => role.kind)).toEqual(["Role", "ClusterRole"]);
    for (const rule of all) {
      for (const verb of ["escalate", "bind", "impersonate", "*", "deletecollection", "update"]) expect(rule.verbs).not.toContain(verb);
      for (const resource of ["pods/exec", "pods/attach", "pods/portforward", "roles", "rolebindings", "clusterroles", "*"]) expect(rule.resources).not.toContain(resource);
      if (rule.resources.includes("secrets")) expect(rule.verbs).toEqual(["get", "create", "patch", "delete"]);
    }
  });

  it("only reads across the cluster", () => {
    const wide = all.filter((rule) => rule.kind === "ClusterRole");
    expect(wide.flatMap((rule) => rule.verbs).filter((verb) => !["get", "list", "watch"].includes(verb))).toEqual([]);
    expect(wide.flatMap((rule) => rule.resources)).not.toContain("secrets");
  });

  it("is YAML that reads back as the same objects", () => {
    expect(parseAllDocuments(linkYaml("a")).map((document) => document.toJS())).toEqual(JSON.parse(JSON.stringify(linkObjects("a"))));
  });

  it.each(PROVIDERS)("comes with three commands for %s", (provider) => {
    expect(linkCommands(provider, "lectern-a")).toHaveLength(3);
  });
});

describe("needed against allowed", () => {
  it("is unknown until the cluster was asked", () => expect(rightLines(undefined)).toBeUndefined());
  it("blocks on what is needed, warns about what is optional", () => {
    const lines = rightLines({ namespace: "a", denied: [{ id: "deployments", verbs: ["create"] }, { id: "nodes", verbs: ["list"] }] }) ?? [];
    const level = (id: string) => lines.find((line) => line.id === id)?.level;
    expect([level("deployments"), level("nodes"), level("pods")]).toEqual(["blocker", "warning", "fine"]);
    expect(new Set(NEEDS.map((need) => need.id)).size).toBe(NEEDS.length);
  });
});

describe("how a cluster stands", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  const facts = { checkedAt: now, problem: "", expiresAt: null, isClusterAdmin: false, kind: "linked" };
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  it.each([
    ["answers", facts, "fine", []],
    ["was never asked", { ...facts, checkedAt: null }, "unknown", []],
    ["does not answer", { ...facts, problem: "x refused the connection." }, "down", []],
    ["has a credential that ends soon", { ...facts, expiresAt: inDays(3) }, "warning", [/ends in 3 days/]],
    ["has a credential that ended", { ...facts, expiresAt: inDays(-1) }, "warning", [/has ended/]],
    ["lets Lectern do everything", { ...facts, isClusterAdmin: true }, "warning", [/cluster-admin/]],
    ["is the sandbox", { ...facts, isClusterAdmin: true, kind: "sandbox" }, "fine", []],
  ] as const)("%s", (_what, of, health, warnings) => {
    const answer = clusterHealth(of, now);
    expect(answer.health).toBe(health);
    expect(answer.warnings).toHaveLength(warnings.length);
    warnings.forEach((warning, index) => expect(answer.warnings[index]).toMatch(warning));
  });
});
