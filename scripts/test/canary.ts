import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Db } from "@/lib/platform/db";

/** Every place in the database and under a folder where the words stand in the clear; empty when there is none. */
export async function placesOf(words: string, { db, folder }: { db: Db; folder: string }): Promise<string[]> {
  const found: string[] = [];
  const tables = await db.$queryRaw<{ name: string }[]>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  const hex = Buffer.from(words).toString("hex");
  for (const { name } of tables) {
    const [row] = await db.$queryRawUnsafe<{ count: bigint }[]>(`SELECT count(*) AS count FROM "${name}" AS each WHERE each::text ILIKE $1 OR each::text ILIKE $2`, `%${words}%`, `%${hex}%`); // names come from the catalogue
    if (row && row.count > 0n) found.push(`table ${name}`);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    if (entry.name.includes(words) || (await readFile(file)).includes(words)) found.push(`file ${entry.name}`);
  }
  return found;
}
