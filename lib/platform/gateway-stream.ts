import "server-only";
import { EngineError } from "@/lib/domain/engine-failure";

/** What an engine's stream has told so far. `pieces` counts pieces of text: with vLLM, one a token. */
export type StreamFacts = { promptTokens: number | null; completionTokens: number | null; pieces: number; isDone: boolean };

export type StreamTap = {
  facts: StreamFacts;
  /** Takes bytes as they come; answers what may be passed on at once (whole events), and keeps the closing `[DONE]` for `end`. */
  push(bytes: Uint8Array): Buffer | null;
  /** What was kept back. Throws EngineError `broken_answer` when the stream had not come to its end. */
  end(): Buffer;
};

const eventEnd = Buffer.from("\n\n");
const done = Buffer.from("data: [DONE]\n\n");

/**
 * Looks at an OpenAI stream as it passes. Bytes are not changed; only the last event, which carries nothing but usage, is left out
 * for a client that has not asked for it.
 */
export function createStreamTap({ keepsUsage }: { keepsUsage: boolean }): StreamTap {
  const facts: StreamFacts = { promptTokens: null, completionTokens: null, pieces: 0, isDone: false };
  let rest: Buffer = Buffer.alloc(0);

  function take(bytes: Uint8Array): Buffer {
    const all = rest.byteLength === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.concat([rest, bytes]);
    const end = all.lastIndexOf(eventEnd);
    rest = end < 0 ? all : all.subarray(end + 2);
    return end < 0 ? Buffer.alloc(0) : all.subarray(0, end + 2);
  }

  function look(event: string): boolean {
    if (event.startsWith("data: [DONE]")) facts.isDone = true;
    else if (event.includes('"delta"') && event.includes('"content"')) facts.pieces += 1;
    const prompt = /"prompt_tokens":\s*(\d+)/.exec(event)?.[1];
    const completion = /"completion_tokens":\s*(\d+)/.exec(event)?.[1];
    if (prompt !== undefined) facts.promptTokens = Number(prompt);
    if (completion !== undefined) facts.completionTokens = Number(completion);
    const isOnlyUsage = prompt !== undefined && /"choices":\s*\[\]/.test(event);
    return !facts.isDone && (keepsUsage || !isOnlyUsage);
  }

  return {
    facts,
    push(bytes) {
      const whole = take(bytes);
      if (whole.byteLength === 0) return null;
      const events = whole.toString("utf8").split("\n\n").slice(0, -1);
      const passing = events.filter(look);
      if (passing.length === events.length) return whole;
      return passing.length === 0 ? null : Buffer.from(`${passing.join("\n\n")}\n\n`);
    },
    end() {
      if (!facts.isDone) throw new EngineError("broken_answer");
      return done;
    },
  };
}
