import "server-only";
import { EngineError } from "@/lib/domain/engine-failure";

/** What an engine's stream has told so far. `pieces` counts pieces of text: with vLLM, one a token. */
export type StreamFacts = { promptTokens: number | null; completionTokens: number | null; pieces: number; isDone: boolean };

export type StreamTap = {
  readonly facts: StreamFacts;
  /** Takes bytes as they come; answers what may be passed on at once (whole events), and keeps the closing `[DONE]` for `end`. */
  push(bytes: Uint8Array): Buffer | null;
  /** What was kept back. Throws EngineError `broken_answer` when the stream had not come to its end. */
  end(): Buffer;
};

const eventEnd = Buffer.from("\n\n");
const done = Buffer.from("data: [DONE]\n\n");

/**
 * Looks at an OpenAI stream as it passes. Bytes are not changed; only the last event, which carries nothing but usage, is left out
 * for a client that has not asked for it. A page has a thousand events: numbers are read from the last one that has them, when they are asked for.
 */
export function createStreamTap({ keepsUsage }: { keepsUsage: boolean }): StreamTap {
  let rest: Buffer = Buffer.alloc(0);
  let pieces = 0;
  let isDone = false;
  let lastUsage = "";

  function take(bytes: Uint8Array): Buffer {
    const all = rest.byteLength === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.concat([rest, bytes]);
    const end = all.lastIndexOf(eventEnd);
    rest = end < 0 ? all : all.subarray(end + 2);
    return end < 0 ? Buffer.alloc(0) : all.subarray(0, end + 2);
  }

  function look(event: string): boolean {
    if (event.startsWith("data: [DONE]")) isDone = true;
    else if (event.includes('"delta"') && event.includes('"content"')) pieces += 1;
    const hasUsage = event.includes('"prompt_tokens"');
    if (hasUsage) lastUsage = event;
    return !isDone && (keepsUsage || !hasUsage || !/"choices":\s*\[\]/.test(event));
  }

  return {
    get facts() {
      return { promptTokens: numberIn(lastUsage, /"prompt_tokens":\s*(\d+)/), completionTokens: numberIn(lastUsage, /"completion_tokens":\s*(\d+)/), pieces, isDone };
    },
    push(bytes) {
      const whole = take(bytes);
      if (whole.byteLength === 0) return null;
      const events = whole.toString("utf8").split("\n\n").slice(0, -1);
      const passing = events.filter(look);
      if (passing.length === events.length) return whole;
      return passing.length === 0 ? null : Buffer.from(`${passing.join("\n\n")}\n\n`);
    },
    end() {
      if (!isDone) throw new EngineError("broken_answer");
      return done;
    },
  };
}

function numberIn(event: string, pattern: RegExp): number | null {
  const found = pattern.exec(event)?.[1];
  return found === undefined ? null : Number(found);
}
