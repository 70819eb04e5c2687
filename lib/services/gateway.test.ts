import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultGatewayLimits } from "@/lib/domain/rate-limit";
import { createPerson } from "@/scripts/test/callers";
import { useDatabase } from "@/scripts/test/database";
import { eventually } from "@/scripts/test/eventually";
import { makeApiKey, makeDeployment, ownFolder, serveGateway, type GatewayPlace } from "@/scripts/test/gateway-place";
import { makeDesk, type Desk } from "@/scripts/test/reading-desk";
import { startStandInEngine, type Behaviour, type StandInEngine } from "@/scripts/test/stand-in-engine";
import { gatewayLimits, gatewaySetLimits } from "./gateway-limits";
import { execute } from "./pipeline";

ownFolder();
const at = useDatabase();
const picture = `data:image/png;base64,${Buffer.from("not looked at by the stand-in").toString("base64")}`;
const page = (text?: string) => [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url: picture } }, ...(text ? [{ type: "text" as const, text }] : [])] }];

let behave: (index: number) => Behaviour;
let engine: StandInEngine;
let desk: Desk;
let place: GatewayPlace;
let apiKey: string;
let client: OpenAI;

beforeAll(async () => {
  engine = await startStandInEngine({ behave: ({ index }) => behave(index) });
  desk = await makeDesk(at.db, "reading", engine.url);
  place = await serveGateway(at.db);
  apiKey = await makeApiKey(at.db, desk.userId);
  client = new OpenAI({ apiKey, baseURL: `${place.origin}/v1`, maxRetries: 0 });
});
beforeEach(async () => {
  behave = () => ({ kind: "answer", text: "# Title and text", pieces: 4 });
  await at.db.usageEntry.deleteMany();
});
afterEach(() => void engine.asked.splice(0));
afterAll(async () => {
  await place.close();
  await engine.stop();
});

const model = "reading/embedded-tesseract-5";
const counted = () => at.db.usageEntry.findMany();

describe("the official openai client, unchanged", () => {
  it("reads a page without streaming, and the page is counted when the answer is there", async () => {
    const answer = await client.chat.completions.create({ model, messages: page("grounding"), temperature: 0.2 });
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { role: "assistant", content: "# Title and text" } });
    expect(answer.usage).toEqual({ prompt_tokens: 1000, completion_tokens: 16, total_tokens: 1016 });
    expect(engine.asked[0]).toMatchObject({ prompt: "grounding", temperature: 0.2 });
    expect(await counted()).toMatchObject([{ feature: "gateway", pages: 1, promptTokens: 1000, completionTokens: 16, userId: desk.userId, environmentId: desk.environmentId }]);
  });

  it("streams each piece as it comes, ends, and shows usage only when asked", async () => {
    behave = () => ({ kind: "answer", text: "one two three four", pieces: 4, pieceMs: 40 });
    const times: number[] = [];
    let text = "";
    for await (const chunk of await client.chat.completions.create({ model, messages: page(), stream: true })) {
      expect(chunk.choices).toHaveLength(1);
      text += chunk.choices[0]?.delta.content ?? "";
      times.push(performance.now());
    }
    expect(text).toBe("one two three four");
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(80);
    const withUsage = await client.chat.completions.create({ model, messages: page(), stream: true, stream_options: { include_usage: true } });
    const usages = [];
    for await (const chunk of withUsage) if (chunk.usage) usages.push(chunk.usage);
    expect(usages).toMatchObject([{ prompt_tokens: 1000 }]);
    expect(await counted()).toHaveLength(2);
  });

  it("lists what the token may use", async () => {
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ id: model, object: "model", owned_by: "reading" }]);
  });

  it.each([
    ["a wrong token", { key: "lct_wrongwrongwrongwrongwrong" }, { status: 401, code: "invalid_api_key" }],
    ["an unknown model", { model: "reading/nothing" }, { status: 404, code: "model_not_found" }],
    ["an address for the image", { url: "https://example.test/page.png" }, { status: 400, param: "messages" }],
    ["a field that is not on the list", { extra: { tools: [] } }, { status: 400, param: "tools" }],
    ["control of the engine", { extra: { vllm_xargs: {} } }, { status: 400, param: "vllm_xargs" }],
  ] as [string, { key?: string; model?: string; url?: string; extra?: object }, object][])("is told about %s in its own error class", async (_what, wrong, expected) => {
    const own = new OpenAI({ apiKey: wrong.key ?? apiKey, baseURL: `${place.origin}/v1`, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url: wrong.url ?? picture } }] }];
    const asked = own.chat.completions.create({ model: wrong.model ?? model, messages, ...wrong.extra });
    await expect(asked).rejects.toMatchObject(expected);
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(engine.asked).toHaveLength(0);
    expect(await counted()).toHaveLength(0);
  });

  it("hears the engine's pause as 429 or 503 with Retry-After, and tries again by itself", async () => {
    behave = (index) => (index === 0 ? { kind: "status", status: 429, retryAfter: "1" } : { kind: "answer", text: "later" });
    const patient = new OpenAI({ apiKey, baseURL: `${place.origin}/v1`, maxRetries: 1 });
    expect((await patient.chat.completions.create({ model, messages: page() })).choices[0]?.message.content).toBe("later");
    expect(await counted()).toHaveLength(1);
  });

  it("gets an error inside the stream when the engine breaks off, and the page is not counted", async () => {
    behave = () => ({ kind: "cut", after: "half" });
    const stream = await client.chat.completions.create({ model, messages: page(), stream: true });
    const read = (async () => {
      for await (const chunk of stream) void chunk;
    })();
    await expect(read).rejects.toThrow(/broke off/);
    expect(await counted()).toHaveLength(0);
  });
});

describe("counting", () => {
  it.each([true, false])("counts a page once when the client hangs up (streaming: %s), and stops the engine", async (stream) => {
    behave = () => ({ kind: "hang", first: "begun" });
    const left = new AbortController();
    const asked = client.chat.completions.create({ model, messages: page(), stream }, { signal: left.signal });
    const reading = (async () => {
      const answer = await asked;
      if (Symbol.asyncIterator in answer) for await (const chunk of answer) void chunk;
    })();
    reading.catch(() => undefined);
    await eventually(() => engine.asked).toHaveLength(1);
    left.abort();
    await reading.catch(() => undefined);
    await eventually(async () => await counted()).toHaveLength(1);
    await eventually(() => engine.asked[0]?.isClosedByClient).toBe(true);
    expect((await counted())[0]).toMatchObject({ pages: 1, feature: "gateway" });
    expect(await at.db.usageEntry.count()).toBe(1);
  });

  it("counts 60 pages that end together, each once", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.chat.completions.create({ model, messages: page() })));
    expect(answers).toHaveLength(60);
    expect(await at.db.usageEntry.count()).toBe(60);
    expect(engine.mostAtOnce).toBeLessThanOrEqual(2);
  });
});

describe("limits and rights", () => {
  it("names the limit and the seconds when a token asks too much", async () => {
    const tight = await serveGateway(at.db, { limits: { ...defaultGatewayLimits, pagesPerMinute: { ...defaultGatewayLimits.pagesPerMinute, ofToken: 2 } } });
    const own = new OpenAI({ apiKey: await makeApiKey(at.db, desk.userId), baseURL: `${tight.origin}/v1`, maxRetries: 0 });
    await Promise.all([1, 2].map(() => own.chat.completions.create({ model, messages: page() })));
    const refused = await own.chat.completions.create({ model, messages: page() }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect(refused).toMatchObject({ message: expect.stringContaining("2 pages a minute for this token") });
    expect(Number((refused as InstanceType<typeof OpenAI.RateLimitError>).headers?.get("retry-after"))).toBeGreaterThan(0);
    await tight.close();
  });

  it("follows the limits that an owner sets, in a process that has begun, and takes none from others", async () => {
    const running = await serveGateway(at.db, { limitsFreshMs: 0 });
    const own = new OpenAI({ apiKey: await makeApiKey(at.db, desk.userId), baseURL: `${running.origin}/v1`, maxRetries: 0 });
    const ask = () => own.chat.completions.create({ model, messages: page() }).then(() => "read", (error: Error) => error.message);
    expect(await ask()).toBe("read");
    const owner = (await createPerson(at.db, "owner-of-limits", { isOwner: true })).caller;
    const { gateway, batches } = await execute(gatewayLimits, { db: at.db, caller: owner, input: {} });
    const input = { batches, gateway: { ...gateway, pagesPerMinute: { ...gateway.pagesPerMinute, ofToken: 1 } } };
    await expect(execute(gatewaySetLimits, { db: at.db, caller: desk.caller, input })).rejects.toMatchObject({ code: "forbidden" });
    await execute(gatewaySetLimits, { db: at.db, caller: owner, input });
    await eventually(ask).toContain("1 pages a minute for this token");
    await execute(gatewaySetLimits, { db: at.db, caller: owner, input: { batches, gateway } });
    await eventually(ask).toBe("read");
    await running.close();
  });

  it("refuses at once when the queue in front of the engine is full", async () => {
    behave = () => ({ kind: "hang", first: "" });
    const [working, waiting] = [new AbortController(), new AbortController()];
    const ask = (count: number, { signal }: AbortController) => Array.from({ length: count }, () => client.chat.completions.create({ model, messages: page() }, { signal }).catch(() => null));
    const first = ask(2, working);
    await eventually(() => engine.asked.length).toBe(2);
    const others = ask(64, waiting);
    await eventually(() => place.gateway.slots.load("embedded")).toBe(66);
    await expect(client.chat.completions.create({ model, messages: page() })).rejects.toMatchObject({ status: 429 });
    waiting.abort();
    await eventually(() => place.gateway.slots.load("embedded")).toBe(2);
    working.abort();
    await Promise.all([...first, ...others]);
    await eventually(() => place.gateway.slots.load("embedded")).toBe(0);
    await eventually(async () => await at.db.usageEntry.count()).toBe(2); // the two that the engine had; not those that waited
  });

  it("gives a token neither another environment nor more than its scope", async () => {
    const other = await makeDesk(at.db, "other", engine.url);
    await expect(client.chat.completions.create({ model: "other/embedded-tesseract-5", messages: page() })).rejects.toMatchObject({ status: 404 });
    const viewing = new OpenAI({ apiKey: await makeApiKey(at.db, other.userId, { environmentIds: null, permissions: ["cost.read"] }), baseURL: `${place.origin}/v1`, maxRetries: 0 });
    expect((await viewing.models.list()).data).toEqual([]);
  });
});

describe("engines behind one name", () => {
  it("spreads pages evenly, and a dead engine costs no request", async () => {
    const second = await startStandInEngine({ behave: ({ index }) => behave(index) });
    const dead = await startStandInEngine({ behave: () => ({ kind: "loop" }) });
    await dead.stop();
    const ids = await Promise.all(["one", "two", "three"].map((name) => makeDeployment(at.db, desk.environmentId, { name })));
    const engines = new Map([[ids[0] ?? "", engine.url], [ids[1] ?? "", second.url]]);
    const pool = await serveGateway(at.db, { engines: new Map([...engines, [ids[2] ?? "", dead.url]]) });
    const own = new OpenAI({ apiKey, baseURL: `${pool.origin}/v1`, maxRetries: 0 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => own.chat.completions.create({ model: "reading/lightonocr-3-1b", messages: page() })));
    expect(answers.every((answer) => answer.choices[0]?.finish_reason === "stop")).toBe(true);
    expect(Math.abs(engine.asked.length - second.asked.length)).toBeLessThanOrEqual(10);
    expect(await at.db.usageEntry.count()).toBe(100);
    await pool.close();
    await second.stop();
    await at.db.deployment.deleteMany();
  });
});
