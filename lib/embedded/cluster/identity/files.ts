import "server-only";
import fs from "node:fs";
import path from "node:path";

/** A small private file of the data folder, written whole or not at all. */
export function writePrivateFile(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  const handle = fs.openSync(draft, "w", 0o600);
  fs.writeSync(handle, content);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(draft, file);
}

export function readPrivateFile(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}
