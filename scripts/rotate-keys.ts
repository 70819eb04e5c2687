/**
 * Has the present master key wrap everything that is sealed; docs/operations.md tells when. Run it beside the portal, with the portal's settings:
 * `node --conditions=react-server --import tsx scripts/rotate-keys.ts`
 */
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { vault } from "@/lib/platform/vault";
import { rewrapAll } from "@/lib/services/key-rotation";

const { rewrapped, use } = await rewrapAll(db(), { sealer: vault(), dataDir: env().LECTERN_DATA_DIR });
const { LECTERN_MASTER_KEY_ID: present } = env();
console.log(`${rewrapped} sealed things were wrapped anew with ${present}.`);
const others = [...use].filter(([id]) => id !== present);
for (const [id, count] of others) console.log(`${id} is still needed by ${count}: leave it in LECTERN_RETIRED_KEYS and run this again.`);
if (others.length === 0) console.log(`Nothing that is kept needs another key. Keep earlier keys in your archive until the last backup from before ${new Date().toISOString()} has expired.`);
await db().$disconnect();
process.exitCode = others.length === 0 ? 0 : 1;
