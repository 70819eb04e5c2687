import { canonicalJson } from "../canonical-json";
import { isRecord } from "../diff-path";
import { isPrivateRange } from "./allowed-exposure";
import { asList, asRecord, isList } from "./allowed-loose";

/**
 * What an override would reach that the spec does not name, as a sentence, or null: creating pods in a namespace is reading every Secret in
 * it, so a Secret or a volume must be one that the spec names; and what a network policy opens must stay inside.
 */
export function reachProblem(before: Record<string, unknown>, after: Record<string, unknown>): string | null {
  const foreign = [...references(after)].find((reference) => !references(before).has(reference));
  if (foreign) return `${foreign} is not one that the spec names. Name it there, or leave it out.`;
  return before.kind === "NetworkPolicy" ? policyProblem(asRecord(before.spec), asRecord(after.spec)) : null;
}

/** "Secret hub", "volume claim ocr-weights": everything in the namespace that pods or an Ingress could read through these fields. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (isList(value)) value.forEach((item) => references(item, found));
  if (!isRecord(value)) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (["secretKeyRef", "secretRef", "secret"].includes(key)) found.add(`Secret ${nameIn(inner)}`);
    if (key === "imagePullSecrets") asList(inner).forEach((item) => found.add(`Secret ${nameIn(item)}`));
    if (key === "tls") asList(inner).forEach((item) => found.add(`Secret ${nameIn(item)}`));
    if (key === "persistentVolumeClaim") found.add(`volume claim ${String(asRecord(inner).claimName)}`);
    references(inner, found);
  }
  return found;
}

function nameIn(value: unknown): string {
  const { name, secretName } = asRecord(value);
  return String(secretName ?? name);
}

type Rules = Record<string, unknown>;

function policyProblem(before: Rules, after: Rules): string | null {
  if (canonicalJson(before.policyTypes) !== canonicalJson(after.policyTypes)) return "The policy would stop holding one direction.";
  return direction(before, after, { rules: "egress", peers: "to", words: "the way out" }) ?? direction(before, after, { rules: "ingress", peers: "from", words: "the way in" });
}

/** A rule that was not there must name its peers: pods of a namespace, or private addresses. */
function direction(before: Rules, after: Rules, { rules, peers, words }: { rules: string; peers: string; words: string }): string | null {
  const known = new Set(asList(before[rules]).map((rule) => canonicalJson(rule)));
  const added = asList(after[rules]).filter((rule) => !known.has(canonicalJson(rule)));
  const knownPeers = new Set(asList(before[rules]).flatMap((rule) => asList(rule[peers]).map((peer) => canonicalJson(peer))));
  const isOpen = added.some((rule) => asList(rule[peers]).length === 0 || asList(rule[peers]).some((peer) => !isNamed(peer) && !(peers === "from" && knownPeers.has(canonicalJson(peer)))));
  return isOpen ? `The policy would open ${words} to whoever is there: name namespaces, pods or private addresses.` : null;
}

function isNamed(peer: Record<string, unknown>): boolean {
  if (peer.ipBlock !== undefined) return isPrivateRange(String(asRecord(peer.ipBlock).cidr));
  const selectors = [peer.namespaceSelector, peer.podSelector].filter((each) => each !== undefined).map(asRecord);
  return selectors.some((selector) => Object.keys(asRecord(selector.matchLabels)).length > 0 || asList(selector.matchExpressions).some((each) => each.operator === "In"));
}
