import { isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments, type Node, type Pair } from "yaml";
import { explain } from "./explain";

/** Why one line of the YAML is as it is. `line` counts from 0. */
export type ExplainedLine = { line: number; path: string; reason: string };

/** The lines of a YAML stream of manifests that have a reason of their own, in order; each reason stands once, at the first line that it is about. */
export function explainLines(text: string): ExplainedLine[] {
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter });
  const lineOf = (offset: number) => counter.linePos(offset).line - 1;
  const found: ExplainedLine[] = [];
  for (const document of documents) {
    if (!isMap(document.contents)) continue;
    const kind = String(document.contents.get("kind") ?? "");
    const own = explain(kind);
    const start = document.contents.range?.[0];
    if (own !== undefined && start !== undefined) found.push({ line: lineOf(start), path: kind, reason: own });
    walk(document.contents, { path: kind, above: own }, (node, path, reason) => node.range && found.push({ line: lineOf(node.range[0]), path, reason }));
  }
  return found;
}

type Found = (node: Node, path: string, reason: string) => void;

/** Children that only repeat the reason of what they stand in are passed over. */
function walk(node: unknown, { path, above }: { path: string; above: string | undefined }, found: Found): void {
  const children = isMap(node) ? node.items.map(pairOf) : isSeq(node) ? node.items.map((item, index) => ({ key: item as Node, name: String(index), value: item as Node })) : []; // parsed YAML holds nodes only
  for (const { key, name, value } of children) {
    const below = `${path}/${name.replaceAll("/", "~1")}`;
    const reason = explain(below, isScalar(value) || isMap(value) ? value.toJSON() : undefined);
    if (reason !== undefined && reason !== above) found(key, below, reason);
    walk(value, { path: below, above: reason ?? above }, found);
  }
}

function pairOf(pair: Pair): { key: Node; name: string; value: unknown } {
  return { key: pair.key as Node, name: isScalar(pair.key) ? String(pair.key.value) : isPair(pair.key) ? "" : String(pair.key), value: pair.value }; // keys of manifests are scalars
}
