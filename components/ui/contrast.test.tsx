import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("app/globals.css", "utf8");
type Tokens = Map<string, string>;

function tokensOf(selector: string): Tokens {
  const body = css.slice(css.indexOf(`${selector} {`)).split("\n}")[0] ?? "";
  return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((found) => [found[1] ?? "", found[2] ?? ""]));
}

/** Relative luminance (WCAG 2.2) of an OKLCH token: OKLab to linear sRGB by Ottosson's matrices, clipped to the gamut. */
function luminance(tokens: Tokens, name: string): number {
  const value = tokens.get(name) ?? "";
  const alias = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (alias) return luminance(tokens, alias);
  const [l = NaN, c = NaN, h = NaN] = (/^oklch\(([^)]+)\)$/.exec(value)?.[1] ?? "").split(" ").map(Number);
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
  return 0.2126 * (rgb[0] ?? NaN) + 0.7152 * (rgb[1] ?? NaN) + 0.0722 * (rgb[2] ?? NaN);
}

function ratio(first: number, second: number): number {
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

const light = tokensOf(":root");
const themes: [string, Tokens][] = [
  ["light", light],
  ["dark", new Map([...light, ...tokensOf(".dark")])],
];
const named = (tokens: Tokens, prefix: string) => [...tokens.keys()].filter((name) => name.startsWith(prefix));
const grounds = ["background", "card", "popover", "muted"];

describe.each(themes)("%s theme", (_, tokens) => {
  const contrast = (front: string, back: string) => ratio(luminance(tokens, front), luminance(tokens, back));
  const code = named(tokens, "shiki-token-");
  const texts = ["foreground", "muted-foreground", "accent", "destructive", ...named(tokens, "state-"), ...named(tokens, "env-"), ...code];

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground])))("%s is readable on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["accent-foreground", "accent"],
    ["destructive-foreground", "destructive"],
  ])("%s is readable on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  const lines = ["input", "ring", ...named(tokens, "data-"), ...named(tokens, "label-")];
  it.each(lines.flatMap((line) => ["background", "card"].map((ground) => [line, ground])))("%s is visible on %s", (line, ground) => {
    expect(contrast(line, ground)).toBeGreaterThanOrEqual(3);
  });

  it.each(named(tokens, "label-"))("%s carries white figures and stands out on white paper", (label) => {
    expect(ratio(1, luminance(tokens, label))).toBeGreaterThanOrEqual(4.5);
  });
});
