import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PERMISSIONS, type Permission } from "@/lib/domain/policy";
import { db } from "@/lib/platform/db";
import { serveMcp } from "@/lib/platform/mcp";
import { createEnvironment } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { makePrincipal, makeToken, type SignedIn } from "@/scripts/test/principals";
import { serveRoute, type RouteServer } from "@/scripts/test/serve-route";
import { door, registry } from "./registry";

const database = useDatabase();
process.env.DATABASE_URL = database.url;
process.env.LECTERN_LOG_LEVEL = "silent";

let server: RouteServer;
let mine: string;
let hidden: string;
let viewer: SignedIn;
const clients: Client[] = [];

beforeAll(async () => {
  server = await serveRoute((request) => serveMcp(door, request, "0.1.0"));
  mine = await createEnvironment(database.db, "mine");
  hidden = await createEnvironment(database.db, "hidden");
  viewer = await makePrincipal(database.db, "viewer", mine);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.close();
  await db().$disconnect();
});

async function connect(person: SignedIn, permissions: Permission[] = [...PERMISSIONS]): Promise<Client> {
  const { headers } = await makeToken(database.db, person.id, { environmentIds: null, permissions });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.origin), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input });
  const [first] = result.content as { type: string; text: string }[]; // every answer is one piece of text
  return { isError: result.isError === true, answer: JSON.parse(first?.text ?? "null") as unknown };
}

describe("the tools", () => {
  it("are exactly the reads that answer JSON, for one who may everything", async () => {
    const client = await connect(await makePrincipal(database.db, "owner", mine));
    const { tools } = await client.listTools();
    const reads = Object.values(registry).filter((operation) => operation.kind === "read" && !("answers" in operation && operation.answers === "file"));
    expect(tools.map((tool) => tool.name).sort()).toEqual(reads.map((operation) => operation.name.replace(".", "_")).sort());
    for (const tool of tools) expect(tool).toMatchObject({ inputSchema: { type: "object" }, annotations: { readOnlyHint: true } });
    expect(client.getInstructions()).toContain("untrusted");
  });

  it("leave out what the person's grants or the token's scope do not reach", async () => {
    const asViewer = (await (await connect(viewer)).listTools()).tools.map((tool) => tool.name);
    expect(asViewer).toContain("deployments_list");
    expect(asViewer).not.toContain("audit_list");
    expect(asViewer).not.toContain("users_list");
    const scoped = (await (await connect(viewer, ["environment.read"])).listTools()).tools.map((tool) => tool.name);
    expect(scoped).toContain("environments_list");
    expect(scoped).not.toContain("account_get");
  });
});

describe("a call", () => {
  it("answers what the operation answers, for its caller", async () => {
    const { isError, answer } = await call(await connect(viewer), "environments_list");
    expect(isError).toBe(false);
    expect(answer).toMatchObject({ environments: [{ id: mine }] });
    expect(JSON.stringify(answer)).not.toContain(hidden);
  });

  it("meets the pipeline's check also for tools that were hidden", async () => {
    const refused = await call(await connect(viewer), "users_list");
    expect(refused).toMatchObject({ isError: true, answer: { code: "forbidden", status: 403 } });
    const outOfScope = await call(await connect(viewer, ["cost.read"]), "members_list", { environmentId: mine });
    expect(outOfScope).toMatchObject({ isError: true, answer: { code: "forbidden", detail: "This token's scope does not include it." } });
    const unseen = await call(await connect(viewer), "members_list", { environmentId: hidden });
    expect(unseen).toMatchObject({ isError: true, answer: { code: "not_found" } });
  });

  it("names the wrong field", async () => {
    const { isError, answer } = await call(await connect(viewer), "members_list", { environmentId: "x", role: "admin" });
    expect(isError).toBe(true);
    expect(answer).toMatchObject({ code: "invalid_input", errors: expect.arrayContaining([expect.objectContaining({ path: "environmentId" })]) });
  });

  it("has no writes and no unknown tools", async () => {
    const client = await connect(await makePrincipal(database.db, "owner", mine));
    await expect(client.callTool({ name: "deployments_delete", arguments: { id: mine } })).rejects.toThrow("There is no tool deployments_delete.");
  });

  it("is refused from the request on after the token is revoked", async () => {
    const client = await connect(viewer);
    await database.db.apiToken.updateMany({ where: { userId: viewer.id }, data: { revokedAt: new Date() } });
    await expect(client.listTools()).rejects.toThrow("401");
  });
});

describe("the endpoint", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = (headers: Record<string, string>, path = "/mcp") =>
    fetch(server.origin + path, { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }, body });

  it("takes tokens only, and in the header only", async () => {
    const withCookie = await post({ ...viewer.headers, origin: "http://localhost:3000" });
    expect(withCookie.status).toBe(401);
    expect(withCookie.headers.get("www-authenticate")).toBe("Bearer");
    expect((await post({ authorization: "Bearer lct_nothing" })).status).toBe(401);
    expect((await post({}, "/mcp?token=x")).status).toBe(400);
  });

  it("takes JSON only, and keeps no session", async () => {
    const { headers } = await makeToken(database.db, viewer.id, { environmentIds: null, permissions: ["environment.read"] });
    expect((await post({ ...headers, "content-type": "text/plain" })).status).toBe(415);
    expect((await fetch(`${server.origin}/mcp`, { headers })).status).toBe(405);
    const answer = await post(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
