type PlainSink = { text(piece: string): void; end(): void };

/**
 * Cuts Markdown without markers into blocks at blank lines, but not inside a table, a code fence or display mathematics.
 * Works line by line, so that the result does not depend on how the text was cut into pieces.
 */
export function createPlainSplitter(sink: PlainSink) {
  let line = "";
  let tables = 0;
  let isFenced = false;
  let isMath = false;

  function endLine() {
    const trimmed = line.trim();
    line = "";
    if (trimmed === "" && tables === 0 && !isFenced && !isMath) return sink.end();
    if (trimmed.startsWith("```")) isFenced = !isFenced;
    if (isFenced) return;
    if (count(trimmed, "$$") % 2 === 1) isMath = !isMath;
    tables = Math.max(0, tables + count(trimmed, "<table") - count(trimmed, "</table"));
  }

  return {
    push(piece: string) {
      let at = 0;
      while (at < piece.length) {
        const newline = piece.indexOf("\n", at);
        const end = newline < 0 ? piece.length : newline + 1;
        const part = piece.slice(at, end);
        line += part;
        sink.text(part);
        if (newline >= 0) endLine();
        at = end;
      }
    },
    finish: endLine,
  };
}

/** The label that a block without a marker most likely has, by how its Markdown starts. */
export function guessLabel(text: string): string {
  const start = text.trimStart().slice(0, 16);
  if (/^#{1,6} /.test(start)) return "title";
  if (start.startsWith("<table") || start.startsWith("|")) return "table";
  if (start.startsWith("```")) return "code";
  if (start.startsWith("$$") || start.startsWith("\\[")) return "formula";
  if (/^(?:[-*+•]|\d{1,3}[.)]) /.test(start)) return "list";
  return "text";
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
