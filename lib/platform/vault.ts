import "server-only";
import { env } from "./env";
import { sealer, type MasterKey, type Sealer } from "./seal";

let opened: Sealer | undefined;

/** The sealer of this installation: LECTERN_MASTER_KEY seals, LECTERN_RETIRED_KEYS open as well. Throws a sentence when a key is missing or has the wrong length. */
export function vault(): Sealer {
  if (opened) return opened;
  const { LECTERN_MASTER_KEY: master, LECTERN_MASTER_KEY_ID: id, LECTERN_RETIRED_KEYS: retired } = env();
  const key = keyOf(master ?? "", "LECTERN_MASTER_KEY must be 32 bytes in base64. `npm run up` makes one in the data folder.");
  opened = sealer({ id, key }, retired.split(",").filter(Boolean).map(retiredKey));
  return opened;
}

function retiredKey(entry: string): MasterKey {
  const at = entry.indexOf(":");
  return { id: entry.slice(0, at).trim(), key: keyOf(entry.slice(at + 1), "LECTERN_RETIRED_KEYS must be pairs of id:key, separated by commas, each key 32 bytes in base64.") };
}

function keyOf(base64: string, otherwise: string): Buffer {
  const key = Buffer.from(base64, "base64");
  if (key.byteLength !== 32) throw new Error(otherwise);
  return key;
}
