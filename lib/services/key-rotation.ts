import "server-only";
import path from "node:path";
import type { Db } from "@/lib/platform/db";
import { rewrapStored, storedKeyId } from "@/lib/platform/document-rewrap";
import { isSealedInMemory } from "@/lib/platform/memory-vault";
import { keyIdOf, type Sealer, type SealPlace } from "@/lib/platform/seal";
import { clusterPlace } from "./clusters";
import { comparisonPlace } from "./compare-rows";
import { templatePlace } from "./preview-environments-templates";
import { pageTextPlace } from "./run-rows";

const PAGE = 200;

type Sealed = { id: string; bytes: Uint8Array; place: SealPlace };
/** One sealed column: its rows after an id, and how one is replaced, only if it is still what was read. */
type Column = { name: string; rows(after: string | undefined): Promise<Sealed[]>; replace(was: Sealed, bytes: Uint8Array<ArrayBuffer>): Promise<{ count: number }> };
type Rows = { take: number; orderBy: { id: "asc" }; skip?: number; cursor?: { id: string } };

/** Which master keys what is kept still needs, by how many things. */
export type KeyUse = Map<string, number>;
/** `rewrapped`: how many things the present master key wraps now that it did not before. `use`: what needs which key afterwards. */
export type Rotation = { rewrapped: number; use: KeyUse };

function after(id: string | undefined): Rows {
  return { take: PAGE, orderBy: { id: "asc" }, ...(id ? { skip: 1, cursor: { id } } : {}) };
}

/** All that is kept sealed in the database, but for live events, which are gone after minutes. */
function columns(db: Db): Column[] {
  return [
    {
      name: "clusters",
      rows: async (id) => (await db.cluster.findMany(after(id))).map((row) => ({ id: row.id, bytes: row.sealedCredentials, place: clusterPlace(row.id) })),
      replace: ({ id, bytes }, next) => db.cluster.updateMany({ where: { id, sealedCredentials: new Uint8Array(bytes) }, data: { sealedCredentials: next } }),
    },
    {
      name: "secrets of hooks",
      rows: async (id) => (await db.environmentTemplate.findMany(after(id))).map((row) => ({ id: row.id, bytes: row.sealedSecret, place: templatePlace(row.id, "hook-secret") })),
      replace: ({ id, bytes }, next) => db.environmentTemplate.updateMany({ where: { id, sealedSecret: new Uint8Array(bytes) }, data: { sealedSecret: next } }),
    },
    {
      name: "tokens of forges",
      rows: async (id) => (await db.environmentTemplate.findMany(after(id))).map((row) => ({ id: row.id, bytes: row.sealedToken ?? NOTHING, place: templatePlace(row.id, "forge-token") })),
      replace: ({ id, bytes }, next) => db.environmentTemplate.updateMany({ where: { id, sealedToken: new Uint8Array(bytes) }, data: { sealedToken: next } }),
    },
    {
      name: "expected texts",
      rows: async (id) => (await db.comparison.findMany(after(id))).map((row) => ({ id: row.id, bytes: row.sealedExpected ?? NOTHING, place: comparisonPlace(row) })),
      replace: ({ id, bytes }, next) => db.comparison.updateMany({ where: { id, sealedExpected: new Uint8Array(bytes) }, data: { sealedExpected: next } }),
    },
    {
      name: "texts of pages",
      rows: async (id) => (await db.runPage.findMany({ ...after(id), include: { run: { select: { environmentId: true } } } })).map((row) => ({ id: row.id, bytes: row.sealedText ?? NOTHING, place: pageTextPlace({ id: row.id, environmentId: row.run.environmentId }) })),
      replace: ({ id, bytes }, next) => db.runPage.updateMany({ where: { id, sealedText: new Uint8Array(bytes) }, data: { sealedText: next } }),
    },
  ];
}

const NOTHING = new Uint8Array(0);

async function* everySealed(column: Column): AsyncGenerator<Sealed> {
  for (let id: string | undefined, isMore = true; isMore; ) {
    const rows = await column.rows(id);
    for (const row of rows) if (row.bytes.byteLength > 0 && !isSealedInMemory(row.bytes)) yield row;
    id = rows.at(-1)?.id;
    isMore = rows.length === PAGE;
  }
}

async function* everyStored(db: Db): AsyncGenerator<{ key: string; environment: string; purpose: "original" }> {
  for (let id: string | undefined, isMore = true; isMore; ) {
    const rows = await db.document.findMany({ ...after(id), where: { heldBy: null, deletedAt: null }, select: { id: true, storageKey: true, environmentId: true } });
    for (const { storageKey, environmentId } of rows) yield { key: storageKey, environment: environmentId, purpose: "original" };
    id = rows.at(-1)?.id;
    isMore = rows.length === PAGE;
  }
}

/**
 * Has the present master key wrap the data key of everything that is kept. Nothing is unreadable meanwhile, as retired keys still open; what is
 * written at the same time is left as its writer made it and shows in `use`, so that a second pass finds it. Throws where something cannot be opened.
 */
export async function rewrapAll(db: Db, { sealer, dataDir }: { sealer: Sealer; dataDir: string }): Promise<Rotation> {
  const folder = path.join(dataDir, "documents");
  let rewrapped = 0;
  for (const column of columns(db)) {
    for await (const row of everySealed(column)) {
      const change = sealer.rewrap(row.bytes, "whole", row.place);
      if (!change) continue;
      rewrapped += (await column.replace(row, new Uint8Array(Buffer.concat([change.header, row.bytes.subarray(change.replaces)])))).count;
    }
  }
  for await (const ref of everyStored(db)) if (await rewrapStored({ folder, sealer }, ref)) rewrapped += 1;
  return { rewrapped, use: await keyUse(db, dataDir) };
}

/** Which master keys the rows and files that are kept need. */
export async function keyUse(db: Db, dataDir: string): Promise<KeyUse> {
  const use: KeyUse = new Map();
  const count = (id: string | null) => id && use.set(id, (use.get(id) ?? 0) + 1);
  for (const column of columns(db)) for await (const { bytes } of everySealed(column)) count(keyIdOf(bytes));
  for await (const { key } of everyStored(db)) count(await storedKeyId(path.join(dataDir, "documents"), key));
  return use;
}
