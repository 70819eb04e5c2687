import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { LiveEvent, Topic } from "@/lib/domain/live-topic";
import { publish } from "@/lib/services/live";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { serveLive } from "@/scripts/test/live-server";
import { makePrincipal, type SignedIn } from "@/scripts/test/principals";
import type { RouteServer } from "@/scripts/test/serve-route";
import { LiveConnection } from "./live-connection";

const database = useDatabase();

let server: RouteServer;
let environmentId: string;
let viewer: SignedIn;
let topic: Topic;

beforeAll(async () => {
  server = await serveLive(database);
  environmentId = await createEnvironment(database.db, "live");
  viewer = await makePrincipal(database.db, "viewer", environmentId);
  topic = `environment:${environmentId}`;
});
afterAll(() => server.close());

function follow(person: SignedIn = viewer, onSignedOut?: () => void) {
  const connection = new LiveConnection({ origin: server.origin, headers: person.headers, ...(onSignedOut ? { onSignedOut } : {}) });
  const events: LiveEvent[] = [];
  const onSync = vi.fn();
  const on = (wanted: Topic) => connection.subscribe(wanted, { onEvent: (event) => events.push(event), onSync });
  return { connection, events, onSync, on };
}

describe("one stream per tab", () => {
  it("loses and doubles nothing over 1,000 events from two publishers while the network breaks again and again", { timeout: 60_000 }, async () => {
    const { connection, events, on } = follow();
    const leave = on(topic);
    await eventually(() => connection.state().status).toBe("live");
    let isPublishing = true;
    const breaking = (async () => {
      for (let seen = 0; isPublishing; seen = events.length) {
        await eventually(() => events.length > seen + 60 || !isPublishing, 20_000).toBe(true);
        server.cut();
      }
    })();
    const write = async (name: string) => {
      for (let n = 0; n < 500; n += 1) await database.db.$transaction((tx) => publish(tx, topic, { data: { name, n } }));
    };
    await Promise.all([write("a"), write("b")]);
    isPublishing = false;
    await breaking;
    await eventually(() => events.length, 20_000).toBe(1000);
    const stored = await database.db.liveEvent.findMany({ where: { topic }, orderBy: { id: "asc" }, select: { id: true } });
    expect(events.map((event) => event.id)).toEqual(stored.map((row) => row.id.toString()));
    leave();
  });

  it("tells each new topic to read again once, and not after a mere reconnect", async () => {
    const { connection, events, onSync, on } = follow();
    const leave = [on(topic)];
    await eventually(() => onSync.mock.calls.length).toBe(1);
    leave.push(on(`usage:${environmentId}`));
    await eventually(() => onSync.mock.calls.length).toBe(2);
    server.cut();
    await database.db.$transaction((tx) => publish(tx, `usage:${environmentId}`, { data: { pages: 1 } }));
    await eventually(() => events.map((event) => event.data)).toEqual([{ pages: 1 }]);
    expect(onSync).toHaveBeenCalledTimes(2);
    for (const one of leave) one();
    await eventually(() => connection.state().status).toBe("idle");
  });

  it("says stale since the last sign of life within 5 s when the server falls silent, and is live again when it is back", { timeout: 20_000 }, async () => {
    const own = await serveLive(database);
    const connection = new LiveConnection({ origin: own.origin, headers: viewer.headers });
    const leave = connection.subscribe(topic, { onEvent: () => undefined, onSync: () => undefined });
    await eventually(() => connection.state().status).toBe("live");
    await own.close();
    const lostAt = Date.now();
    await eventually(() => connection.state().status, 6_000).toBe("stale");
    expect(Date.now() - lostAt).toBeLessThan(5_000);
    const state = connection.state();
    expect(state.status === "stale" && state.since.getTime() <= lostAt + 100).toBe(true);
    const back = await serveLive(database, { port: Number(new URL(own.origin).port) });
    await eventually(() => connection.state().status, 8_000).toBe("live");
    leave();
    await back.close();
  });

  it("goes on without a topic that was revoked, whose reads then say why", { timeout: 15_000 }, async () => {
    const otherId = await createEnvironment(database.db, "other");
    const person = await makePrincipal(database.db, "viewer", environmentId);
    await database.db.grant.create({ data: { userId: person.id, environmentId: otherId, role: "viewer" } });
    const { connection, events, onSync, on } = follow(person);
    const leave = [on(topic), on(`environment:${otherId}`)];
    await eventually(() => onSync.mock.calls.length).toBe(2);
    await database.db.grant.deleteMany({ where: { userId: person.id, environmentId: otherId } });
    await eventually(() => onSync.mock.calls.length, 6_000).toBe(3);
    await publish(database.db, `environment:${otherId}`, { data: "secret" });
    await publish(database.db, topic, { data: "mine" });
    await eventually(() => events.map((event) => event.data)).toEqual(["mine"]);
    expect(connection.state().status).toBe("live");
    for (const one of leave) one();
  });

  it("stops when the session has ended, and says so", { timeout: 15_000 }, async () => {
    const person = await makePrincipal(database.db, "viewer", environmentId);
    const onSignedOut = vi.fn();
    const { connection, on } = follow(person, onSignedOut);
    const leave = on(topic);
    await eventually(() => connection.state().status).toBe("live");
    await database.db.session.update({ where: { id: person.sessionId }, data: { endedAt: new Date() } });
    await eventually(() => onSignedOut.mock.calls.length, 5_000).toBe(1);
    expect(connection.state().status).toBe("stale");
    leave();
  });
});
