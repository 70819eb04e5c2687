import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { DomainError } from "./errors";
import { ClusterCredentials, parseKubeconfig } from "./kubeconfig";

const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const key = "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n";
const canary = "canary-s3cret";

type Parts = { root?: object; cluster?: object; user?: object; context?: object };
const config = ({ root = {}, cluster = {}, user = { token: canary }, context = {} }: Parts = {}) =>
  stringify({
    apiVersion: "v1",
    kind: "Config",
    preferences: {},
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": btoa(certificate), ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "ocr", ...context } }],
    "current-context": "x",
    ...root,
  });

function refusal(text: string): DomainError {
  try {
    parseKubeconfig(text);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("what is accepted", () => {
  it("is a token with a CA", () => {
    const credentials = parseKubeconfig(config());
    expect(credentials).toEqual({ server: "https://10.0.0.1:6443", caPem: certificate, token: canary });
    expect(ClusterCredentials.parse(credentials)).toEqual(credentials);
  });

  it("is a client certificate with its key", () => {
    const user = { "client-certificate-data": btoa(certificate), "client-key-data": btoa(key) };
    expect(parseKubeconfig(config({ user }))).toEqual({
      server: "https://10.0.0.1:6443",
      caPem: certificate,
      clientCertPem: certificate,
      clientKeyPem: key,
    });
  });

  it("is JSON too, a CA of the system, and one context without a choice", () => {
    const text = JSON.stringify({
      clusters: [{ name: "c", cluster: { server: "https://k8s.example/" } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    });
    expect(parseKubeconfig(text)).toEqual({ server: "https://k8s.example", token: "t" });
  });
});

describe("what is refused, by name and with the remedy", () => {
  const users: Record<string, unknown> = {
    exec: { command: "touch", args: [canary] },
    "auth-provider": { name: "gcp", config: { "cmd-path": canary } },
    tokenFile: `/etc/${canary}`,
    "client-certificate": `/etc/${canary}`,
    "client-key": `/etc/${canary}`,
    username: canary,
    password: canary,
    as: canary,
    "as-groups": [canary],
    "as-user-extra": { a: [canary] },
    "as-uid": canary,
    surprise: canary,
  };
  it.each(Object.keys(users))("users[].user.%s", (field) => {
    const error = refusal(config({ user: { token: canary, [field]: users[field] } }));
    expect(error.code).toBe("invalid_input");
    expect(error.fields[0]?.path).toBe(`users[].user.${field}`);
    expect(error.message).toMatch(/Create a ServiceAccount|Paste the content|Remove it/);
    expect(JSON.stringify([error.message, error.fields])).not.toContain(canary);
  });

  const clusters: Record<string, unknown> = {
    "certificate-authority": `/etc/${canary}`,
    "proxy-url": `http://${canary}`,
    "tls-server-name": canary,
    "insecure-skip-tls-verify": true,
    "disable-compression": true,
  };
  it.each(Object.keys(clusters))("clusters[].cluster.%s", (field) => {
    const error = refusal(config({ cluster: { [field]: clusters[field] } }));
    expect(error.message).toContain(`clusters[].cluster.${field}`);
    expect(JSON.stringify([error.message, error.fields])).not.toContain(canary);
  });

  it("also in an entry that no context uses", () => {
    const users = [
      { name: "u", user: { token: "t" } },
      { name: "other", user: { exec: { command: "id" } } },
    ];
    expect(refusal(config({ root: { users } })).message).toContain("users[].user.exec");
  });

  it.each([
    ["http", { cluster: { server: "http://10.0.0.1:6443" } }, "https://"],
    ["a user in the address", { cluster: { server: "https://a:b@10.0.0.1" } }, "user name"],
    ["a path in the address", { cluster: { server: "https://10.0.0.1/k8s" } }, "without a path"],
    ["no address", { cluster: { server: 5 } }, "not a URL"],
    ["a CA that is no PEM", { cluster: { "certificate-authority-data": btoa("hello") } }, "not base64 of a PEM"],
    [
      "a key that is no key",
      { user: { "client-certificate-data": btoa(certificate), "client-key-data": btoa(certificate) } },
      "client-key-data",
    ],
    [
      "an encrypted key",
      { user: { "client-certificate-data": btoa(certificate), "client-key-data": btoa("-----BEGIN ENCRYPTED PRIVATE KEY-----") } },
      "client-key-data",
    ],
    ["a certificate without key", { user: { "client-certificate-data": btoa(certificate) } }, "kubectl create token"],
    ["two credentials", { user: { token: "t", "client-certificate-data": btoa(certificate) } }, "keep one"],
    ["a token with a line break", { user: { token: "a\nHost: evil" } }, "one line"],
    ["no user", { context: { user: "nobody" } }, "not in it"],
    ["an unknown top-level field", { root: { hooks: [] } }, '"hooks" is refused'],
    ["another kind", { root: { kind: "Pod" } }, "Config"],
    ["no contexts", { root: { contexts: [] } }, "no contexts"],
    [
      "eleven contexts",
      { root: { contexts: Array.from({ length: 11 }, (_, index) => ({ name: String(index), context: { cluster: "c", user: "u" } })) } },
      "more than 10",
    ],
  ])("%s", (_, parts, message) => {
    expect(refusal(config(parts)).message).toContain(message);
  });

  it.each([
    ["nothing", "", "exactly one"],
    ["two documents", `${config()}---\n${config()}`, "exactly one"],
    ["broken YAML", "a: [", "not valid YAML"],
    ["a key given twice", "kind: Config\nkind: Config", "not valid YAML"],
    ["a list", "- a", "not a mapping"],
    ["a file of more than 256 KiB", `# ${"é".repeat(131_072)}\n${config()}`, "256 KiB"],
  ])("%s", (_, text, message) => {
    expect(refusal(text).message).toContain(message);
  });

  it("an alias bomb, within 100 ms", () => {
    const levels = Array.from({ length: 20 }, (_, index) => `l${index + 1}: &l${index + 1} [${Array(9).fill(`*l${index}`).join(",")}]`);
    const started = performance.now();
    expect(refusal(["l0: &l0 [x]", ...levels].join("\n")).message).toContain("aliases");
    expect(performance.now() - started).toBeLessThan(100);
  });

  it.each([
    ["nesting", "[".repeat(100_000)],
    ["nested mappings", `a: ${"{b: ".repeat(20_000)}`],
    ["lists of lists", "- ".repeat(100_000)],
    ["anchors", "&a ".repeat(60_000)],
    ["keys", Array.from({ length: 20_000 }, (_, index) => `a${index}: b`).join("\n")],
    ["keys up to the limit", Array.from({ length: 990 }, (_, index) => `a${index}: b`).join("\n")],
    ["nesting up to the limit", "[".repeat(990)],
  ])("%s without end, within 500 ms", (_, text) => {
    const started = performance.now();
    expect(refusal(text).code).toBe("invalid_input");
    expect(performance.now() - started).toBeLessThan(500);
  });
});
