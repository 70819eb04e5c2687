import "server-only";
import { randomInt } from "node:crypto";
import { isObject, type Json } from "./json";

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** The random tail of a generated name: five letters without vowels, as the API server makes them. */
export function randomSuffix(): string {
  return Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}

/** A short, stable name for a pod template (FNV-1a, spelt in the alphabet of generated names). */
export function templateHash(template: Json): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(canonical(template))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length)).join("");
}
