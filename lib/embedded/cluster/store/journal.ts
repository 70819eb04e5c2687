import "server-only";
import fs from "node:fs";
import path from "node:path";
import { isObject, parseJson, type Json } from "../json";

const COMPACT_AFTER_LINES = 4000;

/**
 * An append-only file of JSON lines with a snapshot beside it. Lines of one tick share one fsync, and a write counts as done
 * (`durable`) only after it. A torn last line, left by a kill, is dropped at the next start.
 */
export class Journal {
  private readonly logFile: string;
  private readonly snapshotFile: string;
  private handle: number;
  private pending: string[] = [];
  private lines = 0;
  private appended = 0;
  private flushed = 0;
  private flushing: Promise<void> | undefined;
  private closed = false;

  constructor(directory: string) {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.logFile = path.join(directory, "journal.ndjson");
    this.snapshotFile = path.join(directory, "snapshot.json");
    this.handle = fs.openSync(this.logFile, "a+", 0o600);
  }

  load(): { snapshot: Json | undefined; entries: Json[] } {
    const snapshot = fs.existsSync(this.snapshotFile) ? parseJson(fs.readFileSync(this.snapshotFile, "utf8")) : undefined;
    const text = fs.readFileSync(this.logFile, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) fs.truncateSync(this.logFile, Buffer.byteLength(whole));
    const entries = whole.split("\n").map(parseJson).filter(isObject);
    this.lines = entries.length;
    return { snapshot, entries };
  }

  /** Answers whether it was taken: a closed journal takes nothing. */
  append(entry: Json): boolean {
    if (this.closed) return false;
    this.pending.push(JSON.stringify(entry));
    this.appended += 1;
    this.flushing ??= new Promise((resolve, reject) => setImmediate(() => this.flush(resolve, reject)));
    return true;
  }

  /**
   * Resolves when everything appended so far is on the disk; an entry that came during an fsync waits for the next one. What is appended
   * later is not waited for: while controllers write without a pause, an answer would never come.
   */
  async durable(): Promise<void> {
    const wanted = this.appended;
    while (this.flushed < wanted && this.flushing) await this.flushing;
  }

  /** How many of the entries appended since the start are on the disk. */
  get durableCount(): number {
    return this.flushed;
  }

  get isFull(): boolean {
    return this.lines >= COMPACT_AFTER_LINES;
  }

  /** Replaces the journal by a snapshot; the rename is what makes it count. */
  compact(snapshot: Json): void {
    const draft = `${this.snapshotFile}.new`;
    const file = fs.openSync(draft, "w", 0o600);
    fs.writeSync(file, JSON.stringify(snapshot));
    fs.fsyncSync(file);
    fs.closeSync(file);
    fs.renameSync(draft, this.snapshotFile);
    fs.ftruncateSync(this.handle);
    fs.fsyncSync(this.handle);
    this.lines = 0;
  }

  async close(): Promise<void> {
    await this.durable();
    this.closed = true;
    fs.closeSync(this.handle);
  }

  private flush(resolve: () => void, reject: (error: Error) => void): void {
    const batch = this.pending;
    this.pending = [];
    fs.writeSync(this.handle, `${batch.join("\n")}\n`);
    fs.fsync(this.handle, (error) => {
      this.lines += batch.length;
      this.flushed += batch.length;
      this.flushing = this.pending.length === 0 ? undefined : new Promise((done, fail) => setImmediate(() => this.flush(done, fail)));
      if (error) reject(error);
      else resolve();
    });
  }
}
