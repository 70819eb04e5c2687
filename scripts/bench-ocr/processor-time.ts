import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

const TICKS_PER_SECOND = 100; // sysconf(_SC_CLK_TCK) on Linux

/** Processor seconds that this process and its living children have used, all threads together; proc(5). */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  const children = childPids().reduce((sum, pid) => sum + ticksOf(pid), 0);
  return (user + system) / 1e6 + children / TICKS_PER_SECOND;
}

export function childPids(): number[] {
  return readdirSync("/proc").map(Number).filter((pid) => pid > 0 && fieldsOf(pid)[1] === String(process.pid));
}

/** From the state on: `state ppid … utime stime`, at 0, 1, 11 and 12. */
function fieldsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
  } catch {
    return []; // it ended meanwhile
  }
}

function ticksOf(pid: number): number {
  const fields = fieldsOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Runs a program to its end: what it printed and the processor seconds that it took, by the shell's `times`. */
export async function runMeasured(command: string, args: readonly string[]): Promise<{ stdout: string; seconds: number }> {
  const script = '"$@" 2>/dev/null; times >&2';
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", script, "sh", command, ...args], { maxBuffer: 1 << 28, env: { ...process.env, OMP_THREAD_LIMIT: "1" } });
  const [, children = ""] = stderr.trim().split("\n").slice(-2);
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return { stdout, seconds };
}

export async function isInstalled(command: string): Promise<boolean> {
  return promisify(execFile)("sh", ["-c", `command -v ${command}`]).then(() => true, () => false);
}
