import type { LiveEvent, Topic } from "@/lib/domain/live-topic";

export type LiveListener = {
  onEvent(event: LiveEvent): void;
  /** The server follows the topic from here on, refuses it, or has lost events: read what it is about again. */
  onSync(): void;
};

type Followed = { listeners: Set<LiveListener>; isSynced: boolean; isRefused: boolean };

/** Who in this tab listens to which topic, and how far the server has come with each. */
export class LiveTopics {
  private readonly followed = new Map<Topic, Followed>();

  /** Adds a listener. True when the topic is new, so that the stream must be opened for it. */
  add(topic: Topic, listener: LiveListener): boolean {
    const known = this.followed.get(topic);
    if (!known) {
      this.followed.set(topic, { listeners: new Set([listener]), isSynced: false, isRefused: false });
      return true;
    }
    known.listeners.add(listener);
    if (known.isSynced) listener.onSync();
    return false;
  }

  /** Removes a listener. True when it was the topic's last one. */
  remove(topic: Topic, listener: LiveListener): boolean {
    const known = this.followed.get(topic);
    known?.listeners.delete(listener);
    return known?.listeners.size === 0 && this.followed.delete(topic);
  }

  /** The topics to ask the server for. */
  wanted(): Topic[] {
    return [...this.followed].filter(([, { isRefused }]) => !isRefused).map(([topic]) => topic);
  }

  deliver(event: LiveEvent): void {
    for (const listener of [...(this.followed.get(event.topic)?.listeners ?? [])]) listener.onEvent(event);
  }

  /** The server follows these topics now: those that were not followed before are read again; all of them when events were lost. */
  begin(topics: Topic[], isGap: boolean): void {
    for (const topic of topics) {
      const known = this.followed.get(topic);
      if (known && !known.isRefused && (isGap || !known.isSynced)) this.sync(known);
    }
  }

  /** The server does not let us follow these topics: their reads say why. */
  refuse(topics: Topic[]): void {
    for (const topic of topics) {
      const known = this.followed.get(topic);
      if (!known) continue;
      known.isRefused = true;
      this.sync(known);
    }
  }

  private sync(known: Followed): void {
    known.isSynced = true;
    for (const listener of [...known.listeners]) listener.onSync();
  }
}
