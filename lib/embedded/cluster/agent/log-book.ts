import "server-only";

export type LogLine = { time: number; text: string };
type Follower = (line: LogLine | undefined) => void;
type Entry = { current: LogLine[]; previous: LogLine[] | undefined; followers: Set<Follower> };

const LONGEST_LOG = 5000;

/** Container logs, in memory, by pod uid and container name. */
export class LogBook {
  private readonly entries = new Map<string, Entry>();

  append(uid: string, container: string, line: LogLine): void {
    const entry = this.entry(uid, container);
    entry.current.push(line);
    if (entry.current.length > LONGEST_LOG) entry.current.splice(0, entry.current.length - LONGEST_LOG);
    for (const follower of entry.followers) follower(line);
  }

  /** A container starts anew: its log becomes the previous one. */
  rotate(uid: string, container: string): void {
    const entry = this.entry(uid, container);
    if (entry.current.length > 0) entry.previous = entry.current;
    entry.current = [];
  }

  read(uid: string, container: string): LogLine[] {
    return this.entries.get(`${uid}/${container}`)?.current ?? [];
  }

  previous(uid: string, container: string): LogLine[] | undefined {
    return this.entries.get(`${uid}/${container}`)?.previous;
  }

  /** Hears every further line, then undefined when the container is gone; the answer unsubscribes. */
  follow(uid: string, container: string, follower: Follower): () => void {
    const { followers } = this.entry(uid, container);
    followers.add(follower);
    return () => void followers.delete(follower);
  }

  /** The container has ended: followers are told, its lines stay readable. */
  close(uid: string, container: string): void {
    const entry = this.entry(uid, container);
    for (const follower of entry.followers) follower(undefined);
    entry.followers.clear();
  }

  forget(uid: string): void {
    for (const key of [...this.entries.keys()]) {
      if (!key.startsWith(`${uid}/`)) continue;
      this.close(uid, key.slice(uid.length + 1));
      this.entries.delete(key);
    }
  }

  private entry(uid: string, container: string): Entry {
    const key = `${uid}/${container}`;
    const entry = this.entries.get(key) ?? { current: [], previous: undefined, followers: new Set() };
    this.entries.set(key, entry);
    return entry;
  }
}
