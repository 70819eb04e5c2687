import type { LiveClosing, Topic } from "@/lib/domain/live-topic";
import { readStream, type StreamEnd, type StreamMessage } from "./live-stream";
import { LiveTopics, type LiveListener } from "./live-topics";

/** `stale`: nothing has come since then, not even a heartbeat, so the page may be out of date. `idle`: the page follows nothing. */
export type LiveState = { status: "idle" } | { status: "connecting" } | { status: "live" } | { status: "stale"; since: Date };

type Options = { origin?: string; headers?: Record<string, string>; onSignedOut?: () => void };
type Timer = ReturnType<typeof setTimeout>;

/** The server's heartbeat comes every 2.5 s; the page must say "stale" within 5 s of a silence. */
const SILENCE_MS = 4_500;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/**
 * The tab's one stream. It is opened for the topics that have a listener, opened again after the last seen event when they change or
 * when it breaks, and closed when nobody listens.
 */
export class LiveConnection {
  private readonly topics = new LiveTopics();
  private readonly watchers = new Set<() => void>();
  private current: LiveState = { status: "idle" };
  private lastId: string | undefined;
  private lastHeardAt = 0;
  private retryMs = 0;
  private isPaused = false;
  private attempt: AbortController | undefined;
  private reopenTimer: Timer | undefined;
  private silenceTimer: Timer | undefined;

  constructor(private readonly options: Options = {}) {}

  subscribe(topic: Topic, listener: LiveListener): () => void {
    if (this.topics.add(topic, listener)) this.reopenIn(0);
    return () => {
      if (this.topics.remove(topic, listener)) this.reopenIn(0);
    };
  }

  readonly state = (): LiveState => this.current;

  readonly onState = (changed: () => void): (() => void) => {
    this.watchers.add(changed);
    return () => void this.watchers.delete(changed);
  };

  /** Gives the connection back while the tab is hidden: browsers allow six per host over HTTP/1.1, for all tabs together. */
  pause(): void {
    this.isPaused = true;
    this.stop();
  }

  /** Goes on after the last event that was seen. */
  resume(): void {
    this.isPaused = false;
    this.reopenIn(0);
  }

  private reopenIn(ms: number): void {
    clearTimeout(this.reopenTimer);
    this.reopenTimer = setTimeout(() => this.reopen(), ms);
  }

  private stop(): void {
    this.attempt?.abort();
    this.attempt = undefined;
    clearTimeout(this.reopenTimer);
    clearTimeout(this.silenceTimer);
  }

  private reopen(): void {
    this.stop();
    if (this.isPaused) return;
    const topics = this.topics.wanted();
    if (topics.length === 0) return this.setState({ status: "idle" });
    if (this.current.status === "idle") {
      this.lastHeardAt = Date.now();
      this.setState({ status: "connecting" });
    }
    this.watchSilence();
    const attempt = new AbortController();
    this.attempt = attempt;
    void this.follow(topics, attempt.signal).then((end) => {
      if (this.attempt === attempt) this.ended(end, topics);
    });
  }

  private follow(topics: Topic[], signal: AbortSignal): Promise<StreamEnd> {
    const query = new URLSearchParams({ topics: topics.join(","), ...(this.lastId === undefined ? {} : { after: this.lastId }) });
    return readStream({
      url: `${this.options.origin ?? ""}/api/events?${query}`,
      headers: this.options.headers ?? {},
      signal,
      onHeard: () => {
        this.lastHeardAt = Date.now();
        this.watchSilence();
      },
      onMessage: (message) => this.take(message, topics),
    });
  }

  private take(message: StreamMessage, topics: Topic[]): void {
    if (message.kind === "closed") return this.closed(message.closing);
    if (message.kind === "refused") return this.topics.refuse([message.topic]);
    this.lastId = message.id;
    if (message.kind === "event") return this.topics.deliver(message.event);
    this.retryMs = 0;
    this.setState({ status: "live" });
    this.topics.begin(topics, message.isGap);
  }

  private closed(closing: LiveClosing): void {
    if (closing.reason === "signed_out") return this.signedOut();
    this.topics.refuse(closing.topics);
    this.reopenIn(0);
  }

  private ended(end: StreamEnd, topics: Topic[]): void {
    if (end !== "broken" && end.status === 401) return this.signedOut();
    if (end !== "broken" && (end.status === 403 || end.status === 404)) {
      this.topics.refuse(topics);
      return this.reopenIn(0);
    }
    this.reopenIn(this.retryMs);
    this.retryMs = Math.min(Math.max(this.retryMs * 2, FIRST_RETRY_MS), LAST_RETRY_MS);
  }

  private signedOut(): void {
    this.stop();
    this.setState({ status: "stale", since: new Date() });
    this.options.onSignedOut?.();
  }

  /** After too long a silence the page is stale, and the stream, which may hang without an error, is opened again. */
  private watchSilence(): void {
    clearTimeout(this.silenceTimer);
    const wasLive = this.current.status === "live";
    this.silenceTimer = setTimeout(
      () => {
        this.setState({ status: "stale", since: new Date(this.lastHeardAt) });
        this.reopenIn(0);
      },
      wasLive ? Math.max(0, this.lastHeardAt + SILENCE_MS - Date.now()) : SILENCE_MS,
    );
  }

  private setState(next: LiveState): void {
    if (next.status === this.current.status) return;
    this.current = next;
    for (const changed of this.watchers) changed();
  }
}
