// Documents come in on standard input, one after the other, each of a length that its request names.

/** @typedef {{ write(piece: Uint8Array): void }} Sink */

/** @type {Uint8Array[]} */
const waiting = [];
/** @type {(() => void) | undefined} */
let wake;

process.stdin.pause();
process.stdin.on("data", (piece) => {
  process.stdin.pause();
  waiting.push(piece);
  wake?.();
});
process.stdin.on("error", () => undefined);

/** Up to `length` bytes, at least one. @param {number} length @returns {Promise<Uint8Array>} */
async function take(length) {
  while (waiting.length === 0) {
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
      process.stdin.resume();
    });
  }
  const piece = waiting.shift();
  if (piece.length > length) waiting.unshift(piece.subarray(length));
  return piece.subarray(0, length);
}

/** The next `length` bytes in one array. @param {number} length */
export async function takeAll(length, start = new Uint8Array(0)) {
  const all = new Uint8Array(start.length + length);
  all.set(start);
  await pourInto(length, { write: (piece, at) => all.set(piece, start.length + at) });
  return all;
}

/** Hands on the next `length` bytes piece by piece. @param {number} length @param {{ write(piece: Uint8Array, at: number): void }} sink */
export async function pourInto(length, sink) {
  for (let at = 0; at < length; ) {
    const piece = await take(length - at);
    sink.write(piece, at);
    at += piece.length;
  }
}
