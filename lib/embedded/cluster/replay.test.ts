import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject, listAt, textAt, type Json, type JsonObject } from "./json";
import { differences } from "./testing/compare";
import { startTestSandbox, type TestSandbox } from "./testing/sandbox";

type Exchange = { name: string; request: JsonObject; response: JsonObject };

function exchangesOf(file: string): Exchange[] {
  const recorded: { exchanges: Exchange[] } = JSON.parse(readFileSync(path.join(import.meta.dirname, "fixtures", `${file}.json`), "utf8"));
  return recorded.exchanges;
}

const BAD_TOKEN = "a bad token is 401";

let sandbox: TestSandbox;
let limitedToken = "";
/** Recorded resource versions and continue tokens, and what stands for them here. */
const substitutes = new Map<string, string>();

/** The recorded cluster had no storage class; its claims stayed unbound and its pods pending. */
async function removeStorageClasses(): Promise<void> {
  await sandbox.client.send({ method: "DELETE", path: "/apis/storage.k8s.io/v1/storageclasses" });
}

beforeAll(async () => {
  sandbox = await startTestSandbox({ speed: 1 });
  await removeStorageClasses();
});

afterAll(() => sandbox.remove());

async function tokenFor(exchange: Exchange): Promise<string | null | undefined> {
  if (exchange.request.as === "none") return null;
  if (exchange.request.as !== "token") return undefined;
  if (exchange.name === BAD_TOKEN) return "nonsense";
  if (limitedToken === "") {
    const answer = await sandbox.client.send({
      method: "POST",
      path: "/api/v1/namespaces/ocr-contract/serviceaccounts/limited/token",
      body: {},
    });
    limitedToken = textAt(answer.body, "status", "token") ?? "";
  }
  return limitedToken;
}

function substituted(recordedPath: string): string {
  return [...substitutes].reduce((text, [from, to]) => text.replaceAll(from, to), recordedPath);
}

function learn(recorded: Json | undefined, answered: Json): void {
  const token = textAt(recorded, "metadata", "continue");
  const own = textAt(answered, "metadata", "continue");
  if (token !== undefined && own !== undefined) substitutes.set(`continue=${token}`, `continue=${own}`);
}

/** The uid of an object in a message differs from run to run. */
function withoutUids(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return value.replaceAll(/\([0-9a-f]{8}-[0-9a-f-]{27}\)/g, "(uid)");
  if (Array.isArray(value)) return value.map((item) => withoutUids(item) ?? null);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutUids(item)])) : value;
}

/** What the sandbox has of its own: its nodes instead of the recorded two. */
function comparable(exchange: Exchange, body: Json | undefined): Json | undefined {
  if (exchange.name === "/api/v1/nodes" && isObject(body))
    return { ...body, items: listAt(body, "items").map((item) => Object.keys(isObject(item) ? item : {}).sort())[0] ?? null };
  return withoutUids(body);
}

async function replay(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const token = await tokenFor(exchange);
  const answer = await sandbox.client.send({
    method: String(request.method),
    path: substituted(String(request.path)),
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(typeof request.contentType === "string" ? { contentType: request.contentType } : {}),
    ...(token === undefined ? {} : { token }),
  });
  expect(answer.status, answer.text).toBe(response.status);
  expect(answer.headers["content-type"]).toBe(response.contentType);
  expect(differences(comparable(exchange, response.body), comparable(exchange, answer.body))).toEqual([]);
  learn(response.body, answer.body);
}

/** The order in which they were recorded. */
describe.sequential.each(["discovery", "access", "apply", "invalid", "objects"])("%s answers as recorded", (file) => {
  test.each(exchangesOf(file))("$name", replay);
});

describe.sequential("lists answer as recorded", () => {
  beforeAll(async () => {
    for (const index of [0, 1, 2, 3, 4]) {
      const body = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `item-${index}`, labels: { set: index % 2 === 0 ? "even" : "odd" } },
      };
      await sandbox.client.send({ method: "POST", path: "/api/v1/namespaces/ocr-contract/configmaps", body });
    }
    // The recorded cluster's controller manager was OpenShift's, which adds this to every namespace.
    const service = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "openshift-service-ca.crt" } };
    await sandbox.client.send({ method: "POST", path: "/api/v1/namespaces/ocr-contract/configmaps", body: service });
  });
  test.each(exchangesOf("lists"))("$name", replay);
});

/** Reads as many events as were recorded. */
async function eventsOf(recordedPath: string, count: number): Promise<Json[]> {
  const stream = await sandbox.client.watch(substituted(recordedPath));
  const events: Json[] = [];
  if (count === 0) return events;
  for await (const event of stream.lines) {
    events.push(event);
    if (events.length === count) break;
  }
  stream.close();
  return events;
}

describe.sequential("watches answer as recorded", () => {
  const [changes, initial, fromStart, timed] = exchangesOf("watch");
  const configMaps = "/api/v1/namespaces/ocr-contract/configmaps";
  const recordedEvents = (exchange: Exchange | undefined): Json[] => listAt(exchange?.response, "body");

  test("ADDED, MODIFIED, DELETED", async () => {
    const list = await sandbox.client.get(configMaps);
    substitutes.set("resourceVersion=761", `resourceVersion=${textAt(list, "metadata", "resourceVersion")}`);
    const seen = eventsOf(String(changes?.request.path), 3);
    const body = (n: string): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "watched", namespace: "ocr-contract" },
      data: { n },
    });
    await sandbox.client.send({ method: "POST", path: configMaps, body: body("1") });
    await sandbox.client.apply(`${configMaps}/watched`, body("2"), "fieldManager=portal&force=true");
    await sandbox.client.send({ method: "DELETE", path: `${configMaps}/watched` });
    expect(differences(recordedEvents(changes), await seen)).toEqual([]);
  });

  test("without a resourceVersion it starts with what exists", async () => {
    const recorded = recordedEvents(initial);
    expect(differences(recorded, await eventsOf(String(initial?.request.path), recorded.length))).toEqual([]);
  });

  test("from an early resourceVersion it tells the whole story", async () => {
    // The first events of the recording come from an earlier run in a namespace of the same name.
    const isOfThisRun = (event: Json): boolean => Number(textAt(event, "object", "metadata", "resourceVersion")) > 605;
    const byName = (events: Json[]): string[] =>
      events.map((event) => `${textAt(event, "type")} ${textAt(event, "object", "metadata", "name")}`).sort();
    const recorded = recordedEvents(fromStart).filter(isOfThisRun);
    expect(byName(await eventsOf(String(fromStart?.request.path), recorded.length))).toEqual(byName(recorded));
  });

  test("with timeoutSeconds it ends by itself", async () => {
    const stream = await sandbox.client.watch(substituted(String(timed?.request.path)));
    const events: Json[] = [];
    for await (const event of stream.lines) events.push(event);
    expect(differences(recordedEvents(timed), events)).toEqual([]);
  });
});

describe.sequential("deletes answer as recorded", () => {
  test.each(exchangesOf("delete"))("$name", replay);
});
