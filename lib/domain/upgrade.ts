import type { DeploymentSpec } from "./deployment";
import { modelById } from "./catalog";
import { engineOf } from "./catalog-engine";
import { isRecord } from "./diff-path";

/** A release of vLLM of which something is known. Facts and sources as published until October 2026. */
export type EngineRelease = { tag: string; state: "tested" | "bad" | "untested"; note: string; source: string };

export const vllmReleases: readonly EngineRelease[] = [
  { tag: "v0.27.1", state: "bad", note: "Every model loops on it: pages end truncated.", source: "https://github.com/lightonai/LightOnOCR" },
  { tag: "v0.30.0", state: "tested", note: "The release that LightOn tests and pins.", source: "https://github.com/lightonai/LightOnOCR" },
  { tag: "v0.31.0", state: "untested", note: "Carries the fix for transformers 5.17 that the 1B needs (vllm#56108); LightOn has not tested it.", source: "https://github.com/vllm-project/vllm/pull/56108" },
];
/** Below these the architecture is not known to vLLM at all. */
const FLOORS: Record<string, string> = { "lightonocr-3-1b": "v0.11.0" };
const FLOOR = "v0.17.0";

/** One thing that could be better, and the spec that would make it so. */
export type Advice = { id: string; weight: "urgent" | "better" | "possible"; title: string; changes: string[]; source: string; spec: DeploymentSpec };
/** What runs, as the applied objects say it; null where they do not. */
export type Running = { tag: string | null; modelRevision: string | null };

/** Reads image tag and pinned weights out of the applied Deployment. */
export function runningOf(objects: readonly unknown[]): Running {
  const deployment = objects.find((object) => isRecord(object) && object.kind === "Deployment");
  const texts = textsIn(deployment);
  const image = texts.find((text) => /^[\w.-]+(\/[\w.-]+)+:[\w.-]+(@sha256:[0-9a-f]{64})?$/.test(text) && text.includes("vllm")) ?? null;
  const pinned = texts.find((text) => text.startsWith("--revision=")) ?? null;
  return { tag: image?.replace(/@.*$/, "").split(":").at(-1) ?? null, modelRevision: pinned?.slice("--revision=".length) ?? null };
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** What to change about a deployment's engine and weights, the most urgent first; empty when nothing is better. */
export function adviceFor(spec: DeploymentSpec, running: Running): Advice[] {
  const model = modelById(spec.modelId);
  const advice: Advice[] = [];
  if (spec.engine === "vllm" && running.tag !== null) advice.push(...engineAdvice(spec, running.tag));
  if (running.modelRevision !== null && running.modelRevision !== model.revision)
    advice.push({ id: "weights", weight: "better", title: "The catalogue pins newer weights", changes: [`Weights ${running.modelRevision.slice(0, 10)} → ${model.revision.slice(0, 10)} of ${model.hfId}`, "They are downloaded at the next start, so it must not be offline then; the first start takes longer."], source: `https://huggingface.co/${model.hfId}`, spec: { ...spec, offline: false } });
  return advice;
}

function engineAdvice(spec: DeploymentSpec, tag: string): Advice[] {
  const tested = engineOf(spec).image.tag;
  const known = vllmReleases.find((release) => release.tag === tag);
  const { imageTag: _, ...plain } = spec;
  const to = (target: string): DeploymentSpec => (target === tested ? plain : { ...spec, imageTag: target });
  const restart = "Its pods restart with the new image: some 11 GB are pulled where it is not on the node yet.";
  if (known?.state === "bad") return [{ id: `engine-${tested}`, weight: "urgent", title: `vLLM ${tag} must not be used`, changes: [known.note, `Image ${tag} → ${tested}, which LightOn tests`, restart], source: known.source, spec: to(tested) }];
  const floor = FLOORS[spec.modelId] ?? FLOOR;
  if (isOlder(tag, floor)) return [{ id: `engine-${tested}`, weight: "urgent", title: `vLLM ${tag} does not know this model`, changes: [`The first release that does is ${floor}.`, `Image ${tag} → ${tested}, which LightOn tests`, restart], source: "https://github.com/lightonai/LightOnOCR", spec: to(tested) }];
  if (isOlder(tag, tested)) return [{ id: `engine-${tested}`, weight: "better", title: `vLLM ${tested} is the release that LightOn tests`, changes: [`Image ${tag} → ${tested}`, restart], source: "https://github.com/lightonai/LightOnOCR", spec: to(tested) }];
  const newest = vllmReleases.findLast((release) => release.state === "untested" && isOlder(tag, release.tag));
  return newest ? [{ id: `engine-${newest.tag}`, weight: "possible", title: `vLLM ${newest.tag} is out`, changes: [newest.note, `Image ${tag} → ${newest.tag}`, restart, "Try it outside production first."], source: newest.source, spec: to(newest.tag) }] : [];
}

/** Compares tags like v0.27.1; what is not such a tag is never older. */
export function isOlder(left: string, right: string): boolean {
  const parts = (tag: string) => /^v?(\d+)\.(\d+)\.(\d+)/.exec(tag)?.slice(1).map(Number);
  const [a, b] = [parts(left), parts(right)];
  if (!a || !b) return false;
  for (let index = 0; index < 3; index += 1) if (a[index] !== b[index]) return (a[index] ?? 0) < (b[index] ?? 0);
  return false;
}
