import "server-only";

/** Keys in order, kept so while they come and go: a list of ten thousand objects is then read without being sorted. */
export class SortedKeys {
  private readonly keys: string[] = [];

  /** Adds a key that is not there yet. */
  add(key: string): void {
    this.keys.splice(this.placeOf(key), 0, key);
  }

  remove(key: string): void {
    const place = this.placeOf(key);
    if (this.keys[place] === key) this.keys.splice(place, 1);
  }

  /** The keys that begin so, in order. */
  under(prefix: string): string[] {
    if (prefix === "") return [...this.keys];
    const start = this.placeOf(prefix);
    let end = start;
    while (this.keys[end]?.startsWith(prefix)) end += 1;
    return this.keys.slice(start, end);
  }

  /** Where the key is, or would be. */
  private placeOf(key: string): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
