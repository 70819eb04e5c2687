import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { db } from "@/lib/platform/db";
import type { Door } from "@/lib/platform/door";
import { dispatch } from "@/lib/platform/http";
import { useDatabase } from "@/scripts/test/database";
import { makePrincipals, makeToken, type Principal, type SignedIn } from "@/scripts/test/principals";
import { SAMPLES } from "@/scripts/test/registry-samples";
import { makeWorld, type World } from "@/scripts/test/registry-world";
import { door, registry, type OperationName } from "./registry";

const database = useDatabase();
process.env.DATABASE_URL = database.url;
process.env.LECTERN_LOG_LEVEL = "silent";
const PORTAL = "http://localhost:3000";
const NAMES = Object.keys(registry) as OperationName[]; // Object.keys widens to string[]
const shapes: Door["operations"] = registry;

let world: World;
let people: Record<Principal, SignedIn>;

beforeAll(async () => {
  world = await makeWorld(database.db, "http");
  people = await makePrincipals(database.db, world.environmentId);
});
afterAll(() => db().$disconnect());

type Sent = { name: string; input?: unknown; headers?: Record<string, string>; method?: string; query?: string; contentType?: string };

function methodOf(name: string): "GET" | "POST" | "PUT" {
  const shape = shapes[name];
  return shape?.kind === "read" ? "GET" : shape?.accepts === "stream" ? "PUT" : "POST";
}

function send({ name, input = {}, headers = {}, method = methodOf(name), query = "", contentType = "application/json" }: Sent): Promise<Response> {
  const isBody = method === "POST";
  const search = isBody ? query : `?input=${encodeURIComponent(JSON.stringify(input))}${query.replace("?", "&")}`;
  const body = method === "GET" ? {} : isBody ? { body: JSON.stringify(input) } : { body: "%PDF-1.7" };
  return dispatch(door, name, new Request(`${PORTAL}/api/${name}${search}`, { method, headers: { ...(method === "GET" ? {} : { "content-type": contentType }), ...headers }, ...body }));
}

const fromOwnPage = (person: SignedIn) => ({ ...person.headers, origin: PORTAL, "sec-fetch-site": "same-origin" });

async function expectProblem(response: Response, status: number, code?: string): Promise<void> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const problem = Problem.parse(JSON.parse(text));
  expect(problem.status).toBe(status);
  expect(problem.requestId).toBe(response.headers.get("x-request-id"));
  if (code) expect(problem.code).toBe(code);
}

const Problem = z.strictObject({
  type: z.literal("about:blank"),
  status: z.number(),
  code: z.string(),
  title: z.string().min(1),
  detail: z.string().min(1),
  requestId: z.uuid(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
});

describe.each(NAMES)("%s", (name) => {
  const { permission, kind } = registry[name];
  const sample = () => SAMPLES[name](world);

  it("refuses whoever is nobody, also one who forges the framework's own header", async () => {
    if (permission === "link.redeem") return;
    const headers: Record<string, string> = kind === "write" ? { origin: PORTAL } : {};
    await expectProblem(await send({ name, input: sample(), headers }), 401, "unauthenticated");
    const forged = { ...headers, "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy", "x-nonce": "x", cookie: "__Host-lectern-session=forged" };
    await expectProblem(await send({ name, input: sample(), headers: forged }), 401, "unauthenticated");
    await expectProblem(await send({ name, input: sample(), headers: { authorization: "Bearer lct_forged" } }), 401, "unauthenticated");
  });

  it("refuses unknown keys and malformed input, naming fields and never values", async () => {
    const owner = fromOwnPage(people.owner);
    for (const key of ["role", "ownerId", "envId", "approvedBy", "isOwner2"]) {
      await expectProblem(await send({ name, input: { ...sample(), [key]: "smuggled" }, headers: owner }), 422, "invalid_input");
    }
    for (const input of ["text", 7, ["list"]]) await expectProblem(await send({ name, input, headers: owner }), 422, "invalid_input");
    const answer = await send({ name, input: { unheardOf: "do-not-repeat-me" }, headers: owner });
    expect(await answer.text()).not.toContain("do-not-repeat-me");
  });

  it("answers one method only", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => one !== methodOf(name))) {
      await expectProblem(await send({ name, input: sample(), method, headers: fromOwnPage(people.owner) }), 405, "method_not_allowed");
    }
  });

  it("refuses a token in the address", async () => {
    for (const query of ["?token=x", "?access_token=x", `?q=lct_${"a".repeat(43)}`]) await expectProblem(await send({ name, input: sample(), query, headers: fromOwnPage(people.owner) }), 400, "bad_request");
  });

  if (kind === "write") it("is written by our own pages only when a cookie stands for the person", async () => {
    const { cookie } = people.owner.headers;
    const foreign: Record<string, string>[] = [
      { cookie },
      { cookie, origin: "null" },
      { cookie, origin: "https://evil.example" },
      { cookie, origin: `${PORTAL}.evil.example` },
      { cookie, origin: PORTAL, "sec-fetch-site": "cross-site" },
      { cookie, origin: PORTAL, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) await expectProblem(await send({ name, input: sample(), headers }), 403, "forbidden");
  });

  if (methodOf(name) === "POST") it("takes JSON only, which a foreign form cannot send", async () => {
    for (const contentType of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      await expectProblem(await send({ name, input: sample(), contentType, headers: fromOwnPage(people.owner) }), 415, "unsupported_type");
    }
  });

  it("has an answer without secrets", () => {
    if (["batches.create", "invitations.create", "notifications.set", "templates.create", "tokens.create"].includes(name)) return; // shown once, and nowhere else
    const schema = JSON.stringify(z.toJSONSchema(registry[name].output, { unrepresentable: "any" }));
    const keys = [...schema.matchAll(/"([A-Za-z]+)":\{/g)].map(([, key]) => key ?? "");
    expect(keys.filter((key) => /secret|password|credential|kubeconfig|privatekey|masterkey|apikey|cookie|sealed|^token$|tokenhash/i.test(key))).toEqual([]);
  });
});

describe("the door", () => {
  it("lets a bearer token stand alone: the cookie beside it is ignored", async () => {
    const { headers } = await makeToken(database.db, people.viewer.id, { environmentIds: null, permissions: ["portal.read"] });
    const answer = await send({ name: "account.get", headers: { ...headers, ...people.owner.headers } });
    expect(await answer.json()).toMatchObject({ kind: "token", isOwner: false });
  });

  it("answers a hidden environment and a missing one with the same words", async () => {
    const other = await makeWorld(database.db, "elsewhere");
    const ask = async (id: string) => (await send({ name: "deployments.get", input: { id }, headers: people.viewer.headers })).json() as Promise<{ requestId: string }>;
    const [hidden, missing] = [await ask(other.deploymentId), await ask(crypto.randomUUID())];
    expect({ ...hidden, requestId: "" }).toEqual({ ...missing, requestId: "" });
    expect(hidden).toMatchObject({ status: 404 });
  });

  it("answers a wrong role in a visible environment with 403 and the role that is missing", async () => {
    const answer = await send({ name: "deployments.stop", input: { id: world.deploymentId }, headers: fromOwnPage(people.viewer) });
    expect(await answer.json()).toMatchObject({ status: 403, detail: "This needs the role deployer in this environment. Ask one of its admins." });
  });

  it("knows no name but those of the registry", async () => {
    for (const name of ["nothing.here", "constructor", "__proto__", "toString"]) await expectProblem(await dispatch(door, name, new Request(`${PORTAL}/api/x`, { headers: people.owner.headers })), 404, "not_found");
  });

  it("says nothing of an unexpected failure but the request id", async () => {
    const failure = Object.assign(new Error("connect 10.0.0.7: password=hunter2"), { query: "SELECT secret" });
    const broken: Door = { ...door, execute: () => Promise.reject(failure) };
    const response = await dispatch(broken, "account.get", new Request(`${PORTAL}/api/account.get`, { headers: people.owner.headers }));
    const text = await response.clone().text();
    await expectProblem(response, 500, "internal");
    expect(text).not.toMatch(/hunter2|10\.0\.0\.7|SELECT|\.ts|stack| at /);
  });
});
