import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecogniser, type Recogniser } from "./recogniser";
import { createEngineServer } from "./server";
import { provideTrainedData } from "./tessdata";

let dataDir: string;
let recogniser: Recogniser;
let server: ReturnType<typeof createEngineServer>;
let url: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "lectern-engine-"));
  recogniser = createRecogniser({ tessdata: await provideTrainedData(dataDir), workers: 1, maxWaiting: 0 });
  server = createEngineServer(recogniser);
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await recogniser.close();
  await rm(dataDir, { recursive: true });
});

async function post(rest: object = {}): Promise<Response> {
  const image = await readFile(path.join(process.cwd(), "lib/embedded/engine/fixtures/scan-rotated-90.png"));
  const content = [{ type: "image_url", image_url: { url: `data:image/png;base64,${image.toString("base64")}` } }];
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content }], ...rest }),
  });
}

test("a page beyond the queue is refused with 503 and a time to wait, also when a stream was asked for", { timeout: 120_000 }, async () => {
  const streamed = await post({ stream: true }); // its head comes when the page is taken on, long before it is read
  for (const rest of [{}, { stream: true }]) {
    const refused = await post(rest);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await refused.json()).error).toMatchObject({ type: "ServiceUnavailableError", code: 503 });
  }
  expect(await streamed.text()).toContain("Docling bundles PDF document conversion");
});

test(
  "trained data that has gone is a 503 for the page and for health, and a failure in a stream ends it",
  { timeout: 120_000 },
  async () => {
    const broken = createRecogniser({ tessdata: path.join(dataDir, "missing"), workers: 1 });
    const other = createEngineServer(broken);
    other.listen({ host: "127.0.0.1", port: 0 });
    await once(other, "listening");
    const usual = url;
    url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      expect((await post()).status).toBe(503);
      expect((await fetch(`${url}/health`)).status).toBe(503);
      const events = (await (await post({ stream: true })).text()).trim().split("\n\n");
      expect(events.at(-1)).toBe("data: [DONE]");
      expect(JSON.parse(events.at(-2)?.replace("data: ", "") ?? "")).toMatchObject({
        error: { type: "ServiceUnavailableError", code: 503 },
      });
    } finally {
      url = usual;
      other.close();
      await broken.close();
    }
  },
);
