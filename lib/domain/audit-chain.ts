import { AUDIT_GENESIS, AuditRecord } from "./audit";
import { canonicalJson } from "./canonical-json";

/** One stored event: its place in the chain, the canonical record, and the columns copied out of it for searching. */
export type ChainRow = { sequence: bigint; previousHash: string; hash: string; record: unknown; columns: Record<string, unknown> };
export type ChainHead = { sequence: bigint; hash: string };
export type ChainFault = { sequence: bigint; kind: "missing" | "unlinked" | "edited"; sentence: string };

/** Before the first event. */
export const CHAIN_START: ChainHead = { sequence: 0n, hash: AUDIT_GENESIS };

/** The text whose SHA-256 is an event's hash: sequence, hash before and canonical record, one per line. */
export function chainText(sequence: bigint, previousHash: string, record: unknown): string {
  return `${sequence}\n${previousHash}\n${canonicalJson(record)}`;
}

/**
 * Whether the row rightly follows the head; rows are given in the order of their sequence. Finds edited, deleted, exchanged and inserted events.
 * A tail that was cut off is not seen by a chain alone: compare the last sequence with one noted elsewhere.
 */
export function chainFault(head: ChainHead, row: ChainRow, sha256Hex: (text: string) => string): ChainFault | undefined {
  const expected = head.sequence + 1n;
  if (row.sequence !== expected) return { sequence: expected, kind: "missing", sentence: `Event ${expected} is missing: it was deleted, or its number was changed.` };
  if (row.previousHash !== head.hash) {
    return { sequence: row.sequence, kind: "unlinked", sentence: `Event ${row.sequence} does not follow event ${head.sequence}: an event was inserted, removed or exchanged there.` };
  }
  if (sha256Hex(chainText(row.sequence, row.previousHash, row.record)) !== row.hash) {
    return { sequence: row.sequence, kind: "edited", sentence: `Event ${row.sequence} was edited: its content does not have the hash that was recorded.` };
  }
  const column = changedColumn(row);
  if (column) return { sequence: row.sequence, kind: "edited", sentence: `Event ${row.sequence} was edited: its column ${column} differs from its record.` };
  return undefined;
}

function changedColumn(row: ChainRow): string | undefined {
  const record = AuditRecord.safeParse(row.record);
  if (!record.success) return "record";
  const facts: Record<string, unknown> = record.data;
  return Object.keys(row.columns).find((name) => (row.columns[name] ?? null) !== (facts[name] ?? null));
}
