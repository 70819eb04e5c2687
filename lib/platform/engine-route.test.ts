import { describe, expect, it } from "vitest";
import { probeDirect } from "./engine-route";
import type { Send } from "./transport";

const target = { service: "ocr", namespace: "lectern-staging", port: 8000, clusterIp: "10.96.4.7", servedName: "lightonai/LightOnOCR-3-1B" };
const serving = (id: string): Send => async () => ({
  status: 200,
  headers: {},
  body: (async function* () {
    yield Buffer.from(JSON.stringify({ data: [{ id }] }));
  })(),
  cancel: () => undefined,
});
const neverAsked = () => {
  throw new Error("must not be asked");
};

describe("the way to a deployed engine", () => {
  it("goes straight to the Service when its name leads to its own address and it serves the model", async () => {
    const asked: string[] = [];
    const send = serving(target.servedName);
    const found = await probeDirect(target, { resolve: async (host) => (asked.push(host), ["10.96.4.7"]), sendTo: (origin) => (asked.push(origin), send), timeoutMs: 1000 });
    expect(found).toBe(send);
    expect(asked).toEqual(["ocr.lectern-staging.svc", "http://ocr.lectern-staging.svc:8000"]);
  });

  it("does not trust a name that leads elsewhere: it may be another cluster's", async () => {
    expect(await probeDirect(target, { resolve: async () => ["10.96.9.9"], sendTo: neverAsked, timeoutMs: 1000 })).toBeNull();
  });

  it("does not trust an engine that serves another model", async () => {
    expect(await probeDirect(target, { resolve: async () => ["10.96.4.7"], sendTo: () => serving("another"), timeoutMs: 1000 })).toBeNull();
  });

  it("goes through the API server when the name is unknown or the resolver hangs", async () => {
    expect(await probeDirect(target, { resolve: async () => Promise.reject(new Error("ENOTFOUND")), sendTo: neverAsked, timeoutMs: 1000 })).toBeNull();
    expect(await probeDirect(target, { resolve: () => new Promise(() => undefined), sendTo: neverAsked, timeoutMs: 20 })).toBeNull();
  });
});
