import { randomBytes } from "node:crypto";
import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createFileStore } from "@/lib/platform/document-store";
import { rasteriser } from "@/lib/platform/raster/rasteriser";
import { sealer, type MasterKey } from "@/lib/platform/seal";
import { vault } from "@/lib/platform/vault";
import { useDatabase } from "@/scripts/test/database";
import { makeDesk, makePdf, useOwnDataFolder, type Desk } from "@/scripts/test/reading-desk";
import { clusterPlace } from "./clusters";
import { comparisonPlace } from "./compare-rows";
import { keyUse, rewrapAll } from "./key-rotation";
import { templatePlace } from "./preview-environments-templates";
import { pageTextPlace, sealPageText } from "./run-rows";

const dataDir = useOwnDataFolder();
const test = useDatabase();
const old: MasterKey = { id: "master-1", key: Buffer.from(process.env.LECTERN_MASTER_KEY ?? "", "base64") };
const next: MasterKey = { id: "master-2", key: randomBytes(32) };
const [both, nextOnly] = [sealer(next, [old]), sealer(next)];
const SECRET = Buffer.from("what is sealed");
const PAGES = 12;
let desk: Desk;
let runId: string;

/** One of everything that is sealed, by the services themselves where that is quick; else as they do it. */
beforeAll(async () => {
  const { db } = test;
  desk = await makeDesk(db, "rotation", "http://127.0.0.1:9");
  const environmentId = desk.environmentId;
  const sealed = (place: Parameters<typeof both.seal>[1]) => new Uint8Array(vault().seal(SECRET, place));
  const documentId = await desk.upload(makePdf(1));
  const run = await db.run.create({ data: { documentId, environmentId, modelId: "m", mode: "grounding", preset: "fast", state: "done", createdById: desk.userId } });
  runId = run.id;
  for (let number = 1; number <= PAGES; number += 1) {
    const { id } = await db.runPage.create({ data: { runId, number, state: "done" } });
    await db.runPage.update({ where: { id }, data: { sealedText: sealPageText({ id, environmentId }, `page ${number}`, { isHeld: false }) } });
  }
  const cluster = await db.cluster.create({ data: { name: "c", kind: "linked", server: "https://c.example.test", sealedCredentials: new Uint8Array(), fingerprint: "f" } });
  await db.cluster.update({ where: { id: cluster.id }, data: { sealedCredentials: sealed(clusterPlace(cluster.id)) } });
  const comparison = await db.comparison.create({ data: { environmentId, documentId, name: "c", runIds: [], createdById: desk.userId } });
  await db.comparison.update({ where: { id: comparison.id }, data: { sealedExpected: sealed(comparisonPlace(comparison)) } });
  const template = await db.environmentTemplate.create({ data: { name: "t", clusterId: cluster.id, spec: {}, hoursToLive: 1, idleMinutes: 1, forge: "github", repository: "a/b", apiUrl: "https://a.example.test", sealedSecret: new Uint8Array() } });
  await db.environmentTemplate.update({ where: { id: template.id }, data: { sealedSecret: sealed(templatePlace(template.id, "hook-secret")), sealedToken: sealed(templatePlace(template.id, "forge-token")) } });
  rasteriser().close();
});

const contentOf = async (using: typeof both, folder: string) => {
  const { storageKey: key, environmentId: environment } = await test.db.document.findFirstOrThrow();
  const store = createFileStore({ folder: path.join(folder, "documents"), sealer: using });
  const pieces: Uint8Array[] = [];
  for await (const piece of await store.read({ key, environment, purpose: "original" })) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe("rotating the master key (F6)", () => {
  it("wraps everything anew while pages are written and documents read; the old key is needed by nothing, and by a backup", async () => {
    const backup = await mkdtemp(path.join(os.tmpdir(), "lectern-backup-"));
    await cp(dataDir, backup, { recursive: true });
    const before = await contentOf(vault(), dataDir);
    expect([...(await keyUse(test.db, dataDir))]).toEqual([["master-1", PAGES + 5]]);

    const pages = await test.db.runPage.findMany({ where: { runId }, orderBy: { number: "desc" } });
    const write = async (id: string) => test.db.runPage.update({ where: { id }, data: { sealedText: new Uint8Array(both.seal(Buffer.from("written meanwhile"), pageTextPlace({ id, environmentId: desk.environmentId }))) } });
    const load = Promise.all(pages.slice(0, PAGES / 2).map(async ({ id }) => [await write(id), await contentOf(both, dataDir)] as const));
    await rewrapAll(test.db, { sealer: both, dataDir });
    for (const [, content] of await load) expect(content.equals(before)).toBe(true);

    const { rewrapped, use } = await rewrapAll(test.db, { sealer: both, dataDir });
    expect(rewrapped).toBe(0);
    expect([...use]).toEqual([["master-2", PAGES + 5]]);

    expect((await contentOf(nextOnly, dataDir)).equals(before)).toBe(true);
    const texts = (await test.db.runPage.findMany({ where: { runId }, orderBy: { number: "asc" } })).map(({ id, sealedText }) => nextOnly.open(sealedText ?? new Uint8Array(), pageTextPlace({ id, environmentId: desk.environmentId })).toString());
    expect(texts).toEqual([...Array.from({ length: PAGES / 2 }, (_, index) => `page ${index + 1}`), ...Array<string>(PAGES / 2).fill("written meanwhile")]);
    const [cluster, comparison, template] = [await test.db.cluster.findFirstOrThrow(), await test.db.comparison.findFirstOrThrow(), await test.db.environmentTemplate.findFirstOrThrow()];
    const opened = [
      nextOnly.open(cluster.sealedCredentials, clusterPlace(cluster.id)),
      nextOnly.open(comparison.sealedExpected ?? new Uint8Array(), comparisonPlace(comparison)),
      nextOnly.open(template.sealedSecret, templatePlace(template.id, "hook-secret")),
      nextOnly.open(template.sealedToken ?? new Uint8Array(), templatePlace(template.id, "forge-token")),
    ];
    expect(opened.every((each) => each.equals(SECRET))).toBe(true);

    await expect(contentOf(nextOnly, backup)).rejects.toThrow(/its master key is missing/);
    expect((await contentOf(both, backup)).equals(before)).toBe(true); // the archived key is what the backup needs
  });

  it("stops where something cannot be opened, rather than leave it behind unseen", async () => {
    const third: MasterKey = { id: "master-3", key: randomBytes(32) };
    await expect(rewrapAll(test.db, { sealer: sealer(third, [old]), dataDir })).rejects.toThrow(/its master key is missing/);
  });
});
