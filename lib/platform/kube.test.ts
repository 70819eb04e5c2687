import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKube, type Kube } from "./kube";
import { bodyOf, startTlsServer, type FixtureServer } from "./kube/fixture-server";
import { resourcePath } from "./kube/path";
import { serviceProxySend } from "./kube/service-proxy";
import { KubeStatusError } from "./kube/status";
import type { Watchable } from "./kube/watch";
import type { WatchListEvent } from "./kube/watch-list";
import { createSend } from "./send";
import { readText } from "./send-body";

type Seen = { method: string; url: URL; contentType: string | undefined; body: string };
let server: FixtureServer;
let kube: Kube;
let seen: Seen[] = [];
/** Answers in order; the last one stays. */
let answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = [];

beforeAll(async () => {
  server = await startTlsServer((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({
        method: request.method ?? "",
        url: new URL(request.url ?? "", "https://x"),
        contentType: request.headers["content-type"],
        body,
      });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
  });
  kube = createKube(createSend({ origin: server.origin, caPem: server.caPem, token: "t", allowLoopback: true }));
});
afterAll(() => server.close());
beforeEach(() => {
  seen = [];
  answers = [];
});

const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const failure = (code: number, reason: string, rest: { message?: string; details?: object } = {}) =>
  json({ kind: "Status", apiVersion: "v1", status: "Failure", message: "no", ...rest, reason, code }, code);
const deployments = { apiVersion: "apps/v1", resource: "deployments", namespace: "ocr" };
const pods = { apiVersion: "v1", resource: "pods", namespace: "ocr" };
const labels = { a: "b" };
const object = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "contracts", namespace: "ocr", labels },
  spec: { replicas: 1, unknownToLibraries: { kept: true } },
};
const pod = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });

describe("calls", () => {
  it("applies raw JSON with our manager, and tells created from changed", async () => {
    answers = [json(object, 201), json(object)];
    expect((await kube.apply(object)).created).toBe(true);
    expect((await kube.apply(object, { dryRun: true, force: true })).created).toBe(false);
    expect(seen[0]).toMatchObject({ method: "PATCH", contentType: "application/apply-patch+yaml" });
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(object);
    expect(seen[0]?.url.pathname).toBe("/apis/apps/v1/namespaces/ocr/deployments/contracts");
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({ fieldManager: "lectern", fieldValidation: "Strict" });
    expect(Object.fromEntries(seen[1]?.url.searchParams ?? [])).toMatchObject({ dryRun: "All", force: "true" });
  });

  it("reads a list in pages and gives items their type", async () => {
    answers = [
      json({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "7", continue: "next" }, items: [pod("a", "1")] }),
      json({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "7" }, items: [pod("b", "2")] }),
    ];
    const { items, resourceVersion } = await kube.list(pods, { labelSelector: "x=y" });
    expect(items).toEqual([
      { apiVersion: "v1", kind: "Pod", ...pod("a", "1") },
      { apiVersion: "v1", kind: "Pod", ...pod("b", "2") },
    ]);
    expect(resourceVersion).toBe("7");
    expect(seen.map((each) => each.url.searchParams.get("continue"))).toEqual([null, "next"]);
    expect(seen[1]?.url.searchParams.get("labelSelector")).toBe("x=y");
  });

  it("starts a list over when its page token expired", async () => {
    answers = [
      json({ metadata: { resourceVersion: "7", continue: "old" }, items: [pod("a", "1")] }),
      failure(410, "Expired"),
      json({ metadata: { resourceVersion: "9" }, items: [pod("c", "3")] }),
    ];
    expect((await kube.list(pods)).items.map((item) => item.metadata.name)).toEqual(["c"]);
  });

  it("deletes with propagation and the uid it means", async () => {
    answers = [json({ kind: "Status", status: "Success" })];
    await kube.remove({ ...deployments, name: "contracts" }, { propagation: "Foreground", uid: "u-1" });
    expect(seen[0]?.method).toBe("DELETE");
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ propagationPolicy: "Foreground", preconditions: { uid: "u-1" } });
  });

  it("scales, asks for rights, reads logs", async () => {
    answers = [json({}), json({ status: { allowed: false, reason: "no" } }, 201), (response) => void response.end("one\ntwo")];
    await kube.scale({ ...deployments, name: "contracts" }, 0);
    expect(seen[0]).toMatchObject({ method: "PATCH", contentType: "application/merge-patch+json", body: '{"spec":{"replicas":0}}' });
    expect(await kube.mayI({ verb: "create", group: "apps", resource: "deployments", namespace: "ocr" })).toEqual({
      allowed: false,
      reason: "no",
    });
    expect(await kube.log({ namespace: "ocr", name: "p" }, { previous: true, tailLines: 10 })).toBe("one\ntwo");
    expect(Object.fromEntries(seen[2]?.url.searchParams ?? [])).toEqual({ limitBytes: "1048576", previous: "true", tailLines: "10" });
  });

  it("follows a log line by line", async () => {
    answers = [(response) => void (response.write("on"), response.end("e\ntwo\n"))];
    const read: string[] = [];
    for await (const line of kube.followLog({ namespace: "ocr", name: "p" })) read.push(line);
    expect(read).toEqual(["one", "two"]);
  });
});

describe("refusals", () => {
  it("carry the cluster's message, reason and causes", async () => {
    const causes = [{ reason: "FieldManagerConflict", message: 'conflict with "hpa"', field: ".spec.replicas" }];
    answers = [
      failure(409, "Conflict", { message: 'Apply failed with 1 conflict: conflict with "hpa": .spec.replicas', details: { causes } }),
    ];
    const error = await kube.apply(object).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KubeStatusError);
    expect(error).toMatchObject({
      code: "conflict",
      status: 409,
      reason: "Conflict",
      causes,
      message: expect.stringContaining("Apply failed with 1 conflict"),
    });
  });

  it.each([
    [401, "upstream_failed"],
    [403, "unprocessable"],
    [404, "not_found"],
    [410, "expired"],
    [422, "unprocessable"],
    [429, "rate_limited"],
    [500, "upstream_failed"],
    [503, "unavailable"],
  ])("%i is %s", async (status, code) => {
    answers = [failure(status, "R", { details: { retryAfterSeconds: 3 } })];
    await expect(kube.get({ ...pods, name: "p" })).rejects.toMatchObject({ code, status, retryAfterSeconds: 3 });
  });

  it("repeat nothing that is not a Status, and say when it is no Kubernetes", async () => {
    answers = [
      (response) => void response.writeHead(502).end("<html>secret</html>"),
      (response) => void response.end("<html>secret</html>"),
    ];
    await expect(kube.version()).rejects.toThrow(/^The cluster answered 502 without an explanation.$/);
    await expect(kube.version()).rejects.toThrow("not JSON");
  });
});

describe("following a collection", () => {
  const stream =
    (...events: object[]) =>
    (response: ServerResponse) =>
      void response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const list = (resourceVersion: string, ...items: object[]) =>
    json({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion }, items });

  async function follow(until: (events: WatchListEvent<Watchable>[]) => boolean) {
    const controller = new AbortController();
    const events: WatchListEvent<Watchable>[] = [];
    const on = (event: WatchListEvent<Watchable>) => {
      events.push(event);
      if (until(events)) controller.abort();
    };
    await kube.watchList(pods, { signal: controller.signal, on, backoff: { firstMs: 1, longestMs: 4 } });
    return events;
  }

  it("goes on from the bookmark's version after the server ended the watch", async () => {
    answers = [
      list("10", pod("a", "9")),
      stream({ type: "ADDED", object: pod("b", "11") }, { type: "BOOKMARK", object: { metadata: { resourceVersion: "15" } } }),
      stream({ type: "DELETED", object: pod("b", "16") }),
    ];
    const events = await follow((all) => all.filter((event) => event.type === "change").length === 2);
    expect(events.map((event) => event.type)).toEqual(["list", "change", "change"]);
    expect(seen.slice(1, 3).map((each) => each.url.searchParams.get("resourceVersion"))).toEqual(["10", "15"]);
    expect(seen[1]?.url.searchParams.get("allowWatchBookmarks")).toBe("true");
  });

  it.each([
    [
      "within the stream",
      stream({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" } }),
    ],
    ["as a status", failure(410, "Expired")],
  ])("lists again when the version is gone, %s", async (_, gone) => {
    answers = [list("1"), gone, list("50", pod("z", "49")), stream()];
    const events = await follow((all) => all.filter((event) => event.type === "list").length === 2);
    expect(events.map((event) => event.type).filter((type) => type !== "resumed")).toEqual(["list", "interrupted", "list"]);
    expect(events.at(-1)).toMatchObject({ items: [{ metadata: { name: "z" } }] });
  });

  it("says when it is behind, and when it has caught up without a new event", async () => {
    answers = [
      list("1"),
      (response) => void response.write("\n", () => response.destroy()),
      failure(500, "InternalError"),
      (response) => void response.write("\n"),
    ];
    const events = await follow((all) => all.at(-1)?.type === "resumed");
    expect(events.map((event) => event.type)).toEqual(["list", "interrupted", "interrupted", "resumed"]);
  });

  it("does not spin on watches that end at once, and doubles its waits", async () => {
    answers = [list("1"), failure(500, "InternalError")];
    const events = await follow((all) => all.filter((event) => event.type === "interrupted").length === 5);
    const waits = events.flatMap((event) => (event.type === "interrupted" ? [event.retryInMs] : []));
    expect(Math.max(...waits)).toBeLessThanOrEqual(6);
    expect(seen.length).toBe(6);
  });

  it.each([401, 403])("stops when the right is lost (%i)", async (status) => {
    answers = [list("1"), failure(status, "R")];
    await expect(follow(() => false)).rejects.toMatchObject({ status });
    expect(seen).toHaveLength(2);
  });
});

describe("paths", () => {
  it("can not be left by a name", () => {
    expect(resourcePath({ ...pods, name: "a/../../secrets" })).toBe("/api/v1/namespaces/ocr/pods/a%2F..%2F..%2Fsecrets");
    expect(() => resourcePath({ ...pods, name: ".." })).toThrow("dot");
    expect(() => resourcePath({ ...pods, namespace: "" })).toThrow("empty");
  });

  it("reach a pod through the service proxy, and nothing else", async () => {
    answers = [(response, request) => void response.end(request.url)];
    const engine = serviceProxySend(kube, { namespace: "ocr", service: "contracts", port: 8000 });
    const response = await engine({ method: "POST", path: "/v1/chat/completions?x=1", body: "{}" });
    expect(await readText(response)).toBe("/api/v1/namespaces/ocr/services/contracts:8000/proxy/v1/chat/completions?x=1");
    await expect(engine({ method: "GET", path: "/../../../secrets" })).rejects.toThrow("plain");
    await expect(engine({ method: "GET", path: "/%2e%2e/secrets" })).rejects.toThrow("plain");
    expect(seen).toHaveLength(1);
  });
});
