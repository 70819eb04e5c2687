/** A complete marker; numbers are as the model wrote them: not sorted, not clamped. `isAlone`: what follows is not this block's text. */
export type Marker = { label: string; continues: boolean; numbers: readonly [number, number, number, number]; isAlone: boolean };

type MarkerSink = { text(piece: string): void; marker(marker: Marker): void };

type Place = "text" | "open" | "label" | "plus" | "numbers" | "file" | "trail" | "gap";

// Real labels have at most a dozen letters and numbers four digits. The bound keeps a cut-off marker from hiding text for long.
const maxMarkerLength = 160;
const labelStart = /[A-Za-z_]/;
const labelRest = /[\w-]/;
const numbersRest = /[-\d.,\s]/;
const number = /^-?\d+(?:\.\d+)?$/;
// LightOnOCR-2's bbox variants write their boxes after a picture's name: `![image](image_1.png) 80,120,430,900`.
const pictureName = /^!\[image\]\(image_\d+\.[a-z]{1,5}\)/;
const trailBegun = /\) ?\d{0,4}(?:,\d{0,4}){0,3}$/;
const trailWhole = /\) ?(\d{1,4}),(\d{1,4}),(\d{1,4}),(\d{1,4})$/;

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

  /** A picture's box ends with whatever is not part of it, or with the text. */
  function giveBack() {
    const numbers = place === "trail" && trailWhole.exec(held)?.slice(1, 5).map(Number);
    const [a, b, c, d] = numbers || [];
    if (a !== undefined && b !== undefined && c !== undefined && d !== undefined) {
      held = "";
      place = "text";
      return sink.marker({ label: "image", continues: false, numbers: [a, b, c, d], isAlone: true });
    }
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
    if (char === ")" && next === "numbers") endMarker();
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
      if (held === "![image](" && char === "i") return "file";
      return char === ")" || numbersRest.test(char) ? "numbers" : null;
    case "file":
      if (char === ")") return pictureName.test(held + char) ? "trail" : null;
      return /[\w.]/.test(char) ? "file" : null;
    case "trail":
      return trailBegun.test(held + char) ? "trail" : null;
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
  return { label: continues ? name.slice(0, -1) : name, continues, numbers: [a, b, c, d], isAlone: false };
}
