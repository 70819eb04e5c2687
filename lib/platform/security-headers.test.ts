import { NextRequest } from "next/server";
import { unstable_doesMiddlewareMatch as doesProxyMatch } from "next/experimental/testing/server";
import { describe, expect, it } from "vitest";
import { config, proxy } from "@/proxy";
import { contentSecurityPolicy, pageHeaders } from "./security-headers";

const settings = { nonce: "bm9uY2U=", isDev: false, portalUrl: "http://localhost:3000" };

function directive(policy: string, name: string): string | undefined {
  return policy.split("; ").find((one) => one.startsWith(`${name} `) || one === name)?.slice(name.length + 1);
}

describe("the content security policy", () => {
  it("lets only this request's scripts run, and nothing be framed, embedded or rebased", () => {
    const policy = contentSecurityPolicy(settings);
    expect(directive(policy, "script-src")).toBe("'self' 'nonce-bm9uY2U=' 'strict-dynamic'");
    for (const name of ["object-src", "base-uri", "frame-ancestors", "frame-src"]) expect(directive(policy, name)).toBe("'none'");
    for (const name of ["default-src", "connect-src", "form-action", "font-src"]) expect(directive(policy, name)).toBe("'self'");
    expect(directive(policy, "img-src")).toBe("'self' blob: data:");
    expect(policy).not.toContain("unsafe-eval");
    expect(policy).not.toContain("upgrade-insecure-requests");
  });

  it("lets the sign-in form lead to the configured identity provider, and React evaluate in development only", () => {
    expect(directive(contentSecurityPolicy({ ...settings, oidcIssuer: "https://id.example.test/realms/x" }), "form-action")).toBe("'self' https://id.example.test");
    expect(directive(contentSecurityPolicy({ ...settings, isDev: true }), "script-src")).toContain("'unsafe-eval'");
  });
});

it("asks for HTTPS only where the portal has it", () => {
  expect(pageHeaders(settings)["Strict-Transport-Security"]).toBeUndefined();
  const secure = pageHeaders({ ...settings, portalUrl: "https://lectern.example.test" });
  expect(secure["Strict-Transport-Security"]).toMatch(/^max-age=31536000/);
  expect(secure["Content-Security-Policy"]).toContain("upgrade-insecure-requests");
});

describe("the proxy", () => {
  process.env.DATABASE_URL ??= "postgresql://unused";

  it("gives each page its headers and a nonce of its own, which a client cannot choose", () => {
    const ask = () => proxy(new NextRequest("http://localhost:3000/costs", { headers: { "x-nonce": "chosen" } }));
    const [first, second] = [ask(), ask()];
    const nonces = [first, second].map((response) => response.headers.get("x-middleware-request-x-nonce") ?? "");
    expect(new Set(nonces).size).toBe(2);
    expect(nonces).not.toContain("chosen");
    expect(first.headers.get("content-security-policy")).toContain(`'nonce-${nonces[0]}'`);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.get("referrer-policy")).toBe("same-origin");
    expect(first.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    expect(first.headers.get("permissions-policy")).toContain("camera=()");
    expect(first.headers.get("location")).toBeNull();
  });

  it.each([
    ["/", true],
    ["/login", true],
    ["/deployments/1", true],
    ["/apidocs", true],
    ["/samples/contract.pdf", true],
    ["/api/documents.upload", false],
    ["/api/mcp", false],
    ["/_next/static/chunks/main.js", false],
  ])("%s: %s", (url, expected) => {
    expect(doesProxyMatch({ config, nextConfig: {}, url })).toBe(expected);
  });
});
