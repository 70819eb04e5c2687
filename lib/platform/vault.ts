import "server-only";
import { env } from "./env";
import { sealer, type Sealer } from "./seal";

let opened: Sealer | undefined;

/** The sealer of this installation, made from LECTERN_MASTER_KEY. Throws a sentence when the key is missing or has the wrong length. */
export function vault(): Sealer {
  if (opened) return opened;
  const key = Buffer.from(env().LECTERN_MASTER_KEY ?? "", "base64");
  if (key.byteLength !== 32) throw new Error("LECTERN_MASTER_KEY must be 32 bytes in base64. `npm run up` makes one in the data folder.");
  opened = sealer({ id: "master-1", key });
  return opened;
}
