/** A complete marker; numbers are as the model wrote them: not sorted, not clamped. */
export type Marker = { label: string; continues: boolean; numbers: readonly [number, number, number, number] };

type MarkerSink = { text(piece: string): void; marker(marker: Marker): void };

type Place = "text" | "open" | "label" | "plus" | "numbers" | "gap";

// Real labels have at most a dozen letters and numbers four digits. The bound keeps a cut-off marker from hiding text for long.
const maxMarkerLength = 160;
const labelStart = /[A-Za-z_]/;
const labelRest = /[\w-]/;
const numbersRest = /[-\d.,\s]/;
const number = /^-?\d+(?:\.\d+)?$/;

/**
 * Finds markers in a stream of text, in one pass over its characters. A marker starts with "!", which cannot occur again inside
 * one, so a failed attempt is given back as text and the scan goes on at the character that broke it: nothing is read twice.
 */
export function createMarkerScanner(sink: MarkerSink) {
  let place: Place = "text";
  let held = "";

  function enter(next: Place, char: string) {
    place = next;
    held += char;
  }

  function giveBack() {
    const piece = held;
    held = "";
    place = "text";
    if (piece) sink.text(piece);
  }

  function endMarker() {
    const marker = readMarker(held);
    if (!marker) return giveBack();
    held = "";
    place = "gap";
    sink.marker(marker);
  }

  /** Takes one character inside a marker; false when it cannot stand there. */
  function step(char: string): boolean {
    const next = held.length < maxMarkerLength ? placeAfter(place, held, char) : null;
    if (!next) return false;
    enter(next, char);
    if (char === ")") endMarker();
    return true;
  }

  function push(delta: string) {
    let at = 0;
    while (at < delta.length) {
      const char = delta.charAt(at);
      if (place === "text") {
        const bang = delta.indexOf("!", at);
        const end = bang < 0 ? delta.length : bang;
        if (end > at) sink.text(delta.slice(at, end));
        if (bang >= 0) enter("open", "!");
        at = end + 1;
      } else if (place === "gap") {
        if (char === " " || char === "\t") at += 1;
        else place = "text";
      } else if (step(char)) {
        at += 1;
      } else {
        giveBack();
      }
    }
  }

  return { push, finish: giveBack };
}

/** Where a marker that stands as `held` goes on with `char`; null when it cannot. */
function placeAfter(place: Place, held: string, char: string): Place | null {
  switch (place) {
    case "open":
      if (held === "!") return char === "[" ? "open" : null;
      return labelStart.test(char) ? "label" : null;
    case "label":
      if (labelRest.test(char)) return "label";
      return char === "+" || char === "]" ? "plus" : null;
    case "plus":
      if (held.endsWith("+")) return char === "]" ? "plus" : null;
      return char === "(" ? "numbers" : null;
    case "numbers":
      return char === ")" || numbersRest.test(char) ? "numbers" : null;
    default:
      return null;
  }
}

function readMarker(held: string): Marker | null {
  const bracket = held.indexOf("]");
  const [a, b, c, d, ...rest] = held
    .slice(bracket + 2, -1)
    .split(",")
    .map((part) => (number.test(part.trim()) ? Number(part) : NaN));
  if (a === undefined || b === undefined || c === undefined || d === undefined || rest.length > 0) return null;
  if ([a, b, c, d].some(Number.isNaN)) return null;
  const name = held.slice(2, bracket);
  const continues = name.endsWith("+");
  return { label: continues ? name.slice(0, -1) : name, continues, numbers: [a, b, c, d] };
}
