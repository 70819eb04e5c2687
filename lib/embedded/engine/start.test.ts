import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startEmbeddedEngine, type RunningEngine } from "./start";

const PAGE_MS = 120_000; // a page takes 2–5 s of one core; test machines share theirs

type Completion = {
  model: string;
  choices: { message: { content: string }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  lectern: { mean_confidence: number | null };
};

let dataDir: string;
let engine: RunningEngine;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "lectern-engine-"));
  engine = await startEmbeddedEngine({ dataDir, workers: 2 });
});

afterAll(async () => {
  await engine.stop();
  await rm(dataDir, { recursive: true });
});

const fixture = (name: string) => readFile(path.join(process.cwd(), "lib/embedded/engine/fixtures", name));
const upsideDown = () => fixture("scan-rotated-180.png");
const smallPage = async () =>
  sharp(await upsideDown())
    .rotate(180)
    .png()
    .toBuffer();

function post(body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${engine.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

function pageRequest(image: Buffer, rest: object = {}): object {
  const url = `data:image/png;base64,${image.toString("base64")}`;
  return {
    model: "lightonai/LightOnOCR-3-1B",
    messages: [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url } },
          { type: "text", text: "grounding" },
        ],
      },
    ],
    ...rest,
  };
}

async function readPage(image: Buffer, rest: object = {}): Promise<Completion> {
  const response = await post(pageRequest(image, rest));
  expect(response.status).toBe(200);
  return response.json();
}

function blocksOf(content: string): { label: string; box: number[]; text: string }[] {
  const marker = /!\[([\w-]+\+?)\]\((\d+),(\d+),(\d+),(\d+)\)([^]*?)(?=\n\n!\[|$)/g;
  return [...content.matchAll(marker)].map(([, label = "", x0, y0, x1, y1, text = ""]) => ({
    label,
    box: [x0, y0, x1, y1].map(Number),
    text: text.trim(),
  }));
}

const contentOf = (completion: Completion) => completion.choices[0]?.message.content ?? "";

describe("reading", () => {
  test("an invoice: its words, labels and places", { timeout: PAGE_MS }, async () => {
    const completion = await readPage(await fixture("invoice-en.png"));
    expect(completion.model).toBe("embedded-tesseract-5");
    const blocks = blocksOf(contentOf(completion));
    for (const words of ["INV-100", "Redmond WA, 98052", "PREVIOUS BALANCE", "$610.00", "THANK YOU FOR YOUR BUSINESS!"])
      expect(contentOf(completion)).toContain(words);
    for (const {
      box: [x0 = 0, y0 = 0, x1 = 0, y1 = 0],
    } of blocks)
      expect(0 <= x0 && x0 < x1 && x1 <= 1000 && 0 <= y0 && y0 < y1 && y1 <= 1000).toBe(true);
    expect(blocks.find((block) => block.label === "title")).toMatchObject({ text: "# CONTOSO LTD.", box: [69, 62, 273, 80] });
    const items = blocks.find((block) => block.text.includes("DESCRIPTION"));
    expect(items?.label).toBe("table");
    const [, top = 0, , bottom = 0] = items?.box ?? [];
    expect(top).toBeGreaterThan(500);
    expect(bottom).toBeLessThan(750);
    expect(completion.lectern.mean_confidence).toBeGreaterThan(80);
  });

  test("French with accents, and tables as HTML", { timeout: PAGE_MS }, async () => {
    const content = contentOf(await readPage(await fixture("invoice-fr.png")));
    for (const words of ["Facture FA-2017-0010", "Malaucène", "Nougat de l'Abbaye 250g", "671,15 €", "<table>"])
      expect(content).toContain(words);
  });

  test("a page upside down, with boxes where the text is on the picture sent", { timeout: PAGE_MS }, async () => {
    const blocks = blocksOf(contentOf(await readPage(await upsideDown())));
    expect(blocks[0]?.text).toContain("This is a lot of 12 point text");
    expect(blocks.at(-1)?.text).toContain("quick brown dog jumped");
    expect(blocks[0]?.box[1]).toBeGreaterThan(blocks.at(-1)?.box[1] ?? 1000);
  });

  test("a page on its side", { timeout: PAGE_MS }, async () => {
    const [block] = blocksOf(contentOf(await readPage(await fixture("scan-rotated-90.png"))));
    expect(block?.text).toContain("Docling bundles PDF document conversion to JSON and Markdown");
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = block?.box ?? [];
    expect(y1 - y0).toBeGreaterThan(4 * (x1 - x0));
  });

  test("a blank page is an empty answer", { timeout: PAGE_MS }, async () => {
    const blank = await sharp({ create: { width: 700, height: 1000, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    const completion = await readPage(blank);
    expect(completion.choices).toMatchObject([{ message: { content: "" }, finish_reason: "stop" }]);
    expect(completion.usage).toEqual({ prompt_tokens: 704, completion_tokens: 0, total_tokens: 704 });
    expect(completion.lectern.mean_confidence).toBeNull();
  });
});

describe("the envelope", () => {
  test("a stream carries the same text, one block an event, then reason, usage and end", { timeout: PAGE_MS }, async () => {
    const page = await smallPage();
    const whole = await readPage(page);
    const response = await post(pageRequest(page, { stream: true, stream_options: { include_usage: true } }));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = (await response.text())
      .split("\n\n")
      .filter(Boolean)
      .map((event) => event.replace("data: ", ""));
    expect(events.pop()).toBe("[DONE]");
    const chunks = events.map((event) => JSON.parse(event));
    const usage = chunks.pop();
    expect(usage).toMatchObject({ object: "chat.completion.chunk", choices: [], usage: whole.usage });
    expect(chunks[0].choices[0].delta).toEqual({ role: "assistant", content: "" });
    expect(chunks.at(-1)).toMatchObject({ model: "embedded-tesseract-5", choices: [{ finish_reason: "stop" }], lectern: whole.lectern });
    const texts = chunks.slice(1, -1).map((chunk) => chunk.choices[0].delta.content);
    expect(texts).toHaveLength(blocksOf(contentOf(whole)).length);
    expect(texts.join("")).toBe(contentOf(whole));
  });

  test("max_tokens cuts the answer and says so", { timeout: PAGE_MS }, async () => {
    const completion = await readPage(await smallPage(), { max_tokens: 10 });
    expect(contentOf(completion)).toHaveLength(40);
    expect(completion.choices[0]?.finish_reason).toBe("length");
    expect(completion.usage.completion_tokens).toBe(10);
  });

  test("a client that leaves frees the reader; the next page is read", { timeout: PAGE_MS }, async () => {
    const metric = async (sample: string) =>
      (await (await fetch(`${engine.url}/metrics`)).text()).split("\n").find((line) => line.startsWith("vllm:") && line.includes(sample)) ??
      "";
    const leave = new AbortController();
    const left = post(pageRequest(await fixture("invoice-fr.png")), leave.signal);
    await vi.waitFor(async () => expect(await metric("num_requests_running")).toMatch(/ 1$/), PAGE_MS);
    leave.abort();
    await expect(left).rejects.toThrow("aborted");
    await vi.waitFor(async () => expect(await metric('finished_reason="abort"')).toMatch(/ 1$/), PAGE_MS);
    expect(await metric("num_requests_running")).toMatch(/ 0$/);
    expect(contentOf(await readPage(await smallPage()))).toContain("12 point text");
  });

  test.each([
    ["bytes that are no picture", Buffer.from("hello, this is not a picture"), "not a PNG"],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>'), "not a PNG"],
  ])("%s are refused in vLLM's shape", async (_name, bytes, sentence) => {
    const response = await post(pageRequest(bytes));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: expect.stringContaining(sentence), type: "BadRequestError", param: "messages", code: 400 },
    });
  });

  test("a picture that is cut short, too small or too large is refused with the reason", async () => {
    const page = await smallPage();
    const tiny = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    const huge = await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    for (const [bytes, sentence] of [
      [page.subarray(0, 2000), "damaged"],
      [tiny, "1 × 1 pixels"],
      [huge, "million pixels"],
    ] as const) {
      const response = await post(pageRequest(bytes));
      expect(response.status).toBe(400);
      expect((await response.json()).error.message).toContain(sentence);
    }
  });

  test("an image address is never fetched", async () => {
    const url = `${engine.url}/health`;
    const response = await post({ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] });
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("fetches no addresses");
  });
});

describe("the other endpoints", () => {
  test("health, models and metrics answer; anything else is refused", async () => {
    const health = await fetch(`${engine.url}/health`);
    expect([health.status, await health.text()]).toEqual([200, ""]);
    expect(await (await fetch(`${engine.url}/v1/models`)).json()).toMatchObject({
      object: "list",
      data: [{ id: "embedded-tesseract-5", object: "model" }],
    });
    expect(await (await fetch(`${engine.url}/metrics`)).text()).toMatch(
      /^vllm:num_requests_waiting\{.*model_name="embedded-tesseract-5".*\} 0$/m,
    );
    expect((await fetch(`${engine.url}/v1/embeddings`)).status).toBe(404);
    expect((await fetch(`${engine.url}/v1/chat/completions`)).status).toBe(405);
    const notJson = await fetch(`${engine.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect(notJson.status).toBe(400);
  });

  test("trained data lies whole in the data folder", async () => {
    expect((await readdir(path.join(dataDir, "tessdata"))).sort()).toEqual(
      ["deu", "eng", "fra", "osd"].map((language) => `${language}.traineddata.gz`),
    );
  });
});
