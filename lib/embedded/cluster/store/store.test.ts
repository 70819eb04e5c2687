import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { KubeObject } from "../object";
import { Journal } from "./journal";
import { Store } from "./store";

const directory = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-store-"));
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

function configMap(name: string, value: number): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n", uid: name, resourceVersion: "" }, data: { value } };
}

test("a full journal becomes a snapshot; the next start finds all, and no history from before it", async () => {
  const store = new Store(new Journal(directory));
  for (let count = 0; count < 4500; count += 1) store.put("/configmaps", configMap(`item-${count % 10}`, count));
  await store.durable();
  store.put("/configmaps", configMap("last", 1));
  await store.durable();
  await store.close();
  expect(fs.existsSync(path.join(directory, "snapshot.json"))).toBe(true);
  expect(fs.statSync(path.join(directory, "journal.ndjson")).size).toBeLessThan(10_000);

  const reopened = new Store(new Journal(directory));
  expect(reopened.version).toBe(store.version);
  expect(reopened.list("/configmaps", "n")).toEqual(store.list("/configmaps", "n"));
  expect(reopened.since(2)).toBeUndefined();
  expect(reopened.since(reopened.version)).toEqual([]);
  await reopened.close();
});

test("lists stay in name order, one namespace at a time, while objects come and go", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-order-"));
  const store = new Store(new Journal(folder));
  const names = Array.from({ length: 300 }, (_, index) => `item-${(index * 7919) % 300}`);
  for (const name of names) store.put("/configmaps", configMap(name, 1));
  store.put("/configmaps", { ...configMap("item-5", 2), metadata: { ...configMap("item-5", 2).metadata, namespace: "n2" } });
  for (const name of names.slice(0, 100)) store.remove("/configmaps", store.get("/configmaps", "n", name) ?? expect.fail(name));
  store.put("/configmaps", configMap(names[150] ?? "", 3));
  const listed = store.list("/configmaps", "n").map((object) => object.metadata.name);
  expect(listed).toEqual([...new Set(names.slice(100))].sort());
  expect(store.list("/configmaps").map((object) => object.metadata.namespace)).toEqual([...listed.map(() => "n"), "n2"]);
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("an answer and a watch wait for what they are about, and not for controllers that write without a pause", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-busy-"));
  const store = new Store(new Journal(folder));
  let written = 0;
  let isAnswered = false;
  const heard: number[] = [];
  store.onDurable(({ version }) => heard.push(version));
  // One write a turn of the loop: each fsync ends with the next line waiting already.
  const idle = new Promise<void>((resolve) => {
    const write = () => {
      store.put("/configmaps", configMap("busy", (written += 1)));
      if (isAnswered || written === 3000) resolve();
      else setImmediate(write);
    };
    write();
  });
  await store.durable();
  isAnswered = true;
  expect(heard[0]).toBe(2);
  expect(written).toBeLessThan(3000);
  await idle;
  await store.close();
  expect(heard).toEqual(Array.from({ length: written }, (_, index) => index + 2));
  fs.rmSync(folder, { recursive: true, force: true });
});
