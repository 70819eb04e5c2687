import { createParser, type EventSourceMessage } from "eventsource-parser";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { serveLive } from "@/scripts/test/live-server";
import { makePrincipal, makeSession, makeToken, type SignedIn } from "@/scripts/test/principals";
import type { RouteServer } from "@/scripts/test/serve-route";
import { pruneLive, publish } from "./live";

const database = useDatabase();

let server: RouteServer;
let environmentId: string;
let viewer: SignedIn;
let topic: `environment:${string}`;

beforeAll(async () => {
  server = await serveLive(database, {
    open: (sealed) => {
      if (sealed[0] === 0) throw new DomainError("not_found", "The document is gone.");
      return Buffer.from(sealed).toString("utf8");
    },
  });
  environmentId = await createEnvironment(database.db, "live");
  viewer = await makePrincipal(database.db, "viewer", environmentId);
  topic = `environment:${environmentId}`;
});
afterAll(() => server.close());

type Query = { topics: string; after?: string };

function get(query: Query, headers: Record<string, string> = viewer.headers): Promise<Response> {
  return fetch(`${server.origin}/api/events?${new URLSearchParams(query)}`, { headers });
}

/** Collects a stream's messages in the background; `ended` resolves when the server closes it. */
async function listen(query: Query, headers: Record<string, string> = viewer.headers) {
  const response = await get(query, headers);
  expect(response.status).toBe(200);
  const messages: EventSourceMessage[] = [];
  const heartbeats: number[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message), onComment: () => heartbeats.push(Date.now()) });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  const ended = (async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parser.feed(decoder.decode(piece.value, { stream: true }));
  })();
  return { response, messages, heartbeats, ended, leave: () => reader.cancel() };
}

describe("opening a stream", () => {
  it("answers as the topic's read does", async () => {
    const hidden = await createEnvironment(database.db, "hidden");
    expect((await get({ topics: topic }, {})).status).toBe(401);
    expect((await get({ topics: `environment:${hidden}` })).status).toBe(404);
    expect((await get({ topics: `environment:${hidden}`, after: "0" })).status).toBe(404);
    expect((await get({ topics: `environment:${randomUUID()}` })).status).toBe(404);
    expect((await get({ topics: `usage:${hidden}` })).status).toBe(404);
    for (const kind of ["deployment", "run"]) expect((await get({ topics: `${kind}:${randomUUID()}` })).status).toBe(404);
  });

  it("names a malformed topic or position", async () => {
    for (const query of [{ topics: "" }, { topics: "all" }, { topics: "environment:%" }, { topics: topic, after: "x" }, { topics: topic, after: "-1" }]) {
      const response = await get(query);
      expect(response.status).toBe(422);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  it("refuses another site's page and a token in the address", async () => {
    expect((await get({ topics: topic }, { ...viewer.headers, origin: "https://evil.example" })).status).toBe(403);
    expect((await get({ topics: topic }, { ...viewer.headers, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await get({ topics: topic, token: "x" } as Query)).status).toBe(400);
  });

  it("delivers what may be seen and names what may not", async () => {
    const hidden = `environment:${await createEnvironment(database.db, "hidden-too")}`;
    const stream = await listen({ topics: `${topic},${hidden}` });
    await eventually(() => stream.messages.map((message) => message.event)).toEqual(["refused", "ready"]);
    expect(JSON.parse(stream.messages[0]?.data ?? "")).toMatchObject({ topic: hidden, code: "not_found" });
    await stream.leave();
  });

  it("keeps a scope that lacks the permission out", async () => {
    const token = await makeToken(database.db, viewer.id, { environmentIds: null, permissions: ["cost.read"] });
    expect((await get({ topics: topic }, token.headers)).status).toBe(403);
    const stream = await listen({ topics: `usage:${environmentId}` }, token.headers);
    await stream.leave();
  });
});

describe("an open stream", () => {
  it("goes on after the last seen id, opens sealed text, and leaves out what is gone", async () => {
    const first = await listen({ topics: topic });
    await publish(database.db, topic, { data: { n: 1 } });
    await eventually(() => first.messages.length).toBe(2);
    await first.leave();
    await publish(database.db, topic, { data: { n: 2 }, sealed: Buffer.from("Hello") });
    await publish(database.db, topic, { data: { n: 3 }, sealed: Buffer.from([0]) });
    const again = await listen({ topics: topic }, { ...viewer.headers, "last-event-id": first.messages[1]?.id ?? "" });
    await eventually(() => again.messages.length).toBe(3);
    const [second, third] = again.messages.slice(1).map((message) => JSON.parse(message.data));
    expect(second).toMatchObject({ topic, data: { n: 2 }, text: "Hello" });
    expect(third).toEqual({ id: expect.any(String), topic, data: { n: 3 } });
    await again.leave();
  });

  it("is woken by a commit, not by the clock", async () => {
    const stream = await listen({ topics: topic });
    await publish(database.db, topic, { data: "warm" });
    await eventually(() => stream.messages.length).toBe(2);
    const started = Date.now();
    await publish(database.db, topic, { data: "now" });
    await eventually(() => stream.messages.length).toBe(3);
    expect(Date.now() - started).toBeLessThan(1_000);
    await stream.leave();
  });

  it("says that there is a gap when events after the position were pruned", async () => {
    await publish(database.db, topic, { data: "old" });
    await pruneLive(database.db, new Date(Date.now() + 2 * 3_600_000));
    const stream = await listen({ topics: topic, after: "1" });
    await eventually(() => stream.messages.length).toBe(1);
    expect(JSON.parse(stream.messages[0]?.data ?? "")).toEqual({ isGap: true });
    await stream.leave();
  });

  it("gives a sign of life every 2.5 s", async () => {
    const stream = await listen({ topics: topic });
    await eventually(() => stream.heartbeats.length, 8_000).toBe(2);
    const [first = 0, second = 0] = stream.heartbeats;
    expect(second - first).toBeLessThan(3_500);
    await stream.leave();
  });

  it("has the headers that keep proxies and caches away", async () => {
    const stream = await listen({ topics: topic });
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    await stream.leave();
  });

  const losses = [
    ["the grant is revoked", "revoked", (person: SignedIn) => database.db.grant.deleteMany({ where: { userId: person.id } })],
    ["the session is ended", "signed_out", (person: SignedIn) => database.db.session.update({ where: { id: person.sessionId }, data: { endedAt: new Date() } })],
    ["the session has been idle for too long", "signed_out", (person: SignedIn) => database.db.session.update({ where: { id: person.sessionId }, data: { lastSeenAt: new Date(Date.now() - 31 * 60_000) } })],
    ["the person is disabled", "signed_out", (person: SignedIn) => database.db.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })],
  ] as const;
  it.concurrent.each(losses)("closes within 5 s when %s", async (_when, reason, take) => {
    const person = await makePrincipal(database.db, "viewer", environmentId);
    const stream = await listen({ topics: topic }, person.headers);
    await eventually(() => stream.messages.length).toBe(1);
    await take(person);
    const started = Date.now();
    await stream.ended;
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(stream.messages.at(-1)?.event).toBe("closed");
    expect(JSON.parse(stream.messages.at(-1)?.data ?? "")).toMatchObject({ reason });
  });

  it("closes within 5 s when the token is revoked, and never keeps a session alive by itself", async () => {
    const token = await makeToken(database.db, viewer.id, { environmentIds: [environmentId], permissions: ["environment.read"] });
    const session = await makeSession(database.db, viewer.id);
    const kept = await listen({ topics: topic }, session.headers);
    const seen = new Date(Date.now() - 10 * 60_000);
    await database.db.session.update({ where: { id: session.id }, data: { lastSeenAt: seen } });
    const stream = await listen({ topics: topic }, token.headers);
    await database.db.apiToken.update({ where: { id: token.id }, data: { revokedAt: new Date() } });
    await stream.ended;
    expect(JSON.parse(stream.messages.at(-1)?.data ?? "")).toMatchObject({ reason: "signed_out" });
    expect((await database.db.session.findUniqueOrThrow({ where: { id: session.id } })).lastSeenAt).toEqual(seen);
    await kept.leave();
  });
});
