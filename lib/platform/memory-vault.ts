import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { sealer, type Sealer } from "./seal";

const KEY_ID = "memory-1";

/** What one process holds for documents that are never stored: their sealed bytes, and the only key that opens them and their texts. */
type Memory = { processId: string; key: Uint8Array; objects: Map<string, Uint8Array>; seenAt: Map<string, number> };
type Shared = typeof globalThis & { lecternMemory?: Memory };

/** Plain data on globalThis: the server's bundles share it, and it dies with the process. */
export function memory(): Memory {
  return ((globalThis as Shared).lecternMemory ??= { processId: randomUUID(), key: randomBytes(32), objects: new Map(), seenAt: new Map() });
}

let opened: Sealer | undefined;

/** Seals with a key that is never written anywhere: what it sealed is unreadable once the process has ended. */
export function memoryVault(): Sealer {
  return (opened ??= sealer({ id: KEY_ID, key: memory().key }));
}

/** Whether `memoryVault` made this; the key's id stands in the clear after the magic (lib/platform/seal.ts). */
export function isSealedInMemory(sealed: Uint8Array): boolean {
  return Buffer.from(sealed.subarray(5, 5 + KEY_ID.length)).toString("latin1") === KEY_ID && sealed[4] === KEY_ID.length;
}
