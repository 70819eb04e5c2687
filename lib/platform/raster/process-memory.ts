import "server-only";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const PAGE_BYTES = 4096; // statm counts in pages; on a kernel with larger ones, /proc/self/smaps would say so and the limit is only looser

/** Resident bytes of a process; 0 when it is gone. proc(5) on Linux, ps(1) elsewhere. */
export async function residentBytes(pid: number): Promise<number> {
  if (process.platform === "linux") {
    const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
    return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]).catch(() => ({ stdout: "0" }));
  return (Number(stdout.trim()) || 0) * 1024;
}
