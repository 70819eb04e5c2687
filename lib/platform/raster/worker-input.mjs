// Documents come in on standard input, one after the other, each of a length that its request names. They are read without the event
// loop, straight to where they are needed: streamed pieces would be in memory a second time until they are collected.
import { readSync } from "node:fs";

const STANDARD_INPUT = 0;

/** Fills a part of an array with the next bytes. @param {Uint8Array} target @param {number} offset @param {number} length */
export function readInto(target, offset, length) {
  for (let at = 0; at < length; ) {
    const count = readSync(STANDARD_INPUT, target, offset + at, length - at, null);
    if (count === 0) process.exit(); // the server is gone
    at += count;
  }
}

/** The next bytes after those that are there already. @param {number} length @param {Uint8Array} [start] */
export function readAll(length, start = new Uint8Array(0)) {
  const all = new Uint8Array(start.length + length);
  all.set(start);
  readInto(all, start.length, length);
  return all;
}
